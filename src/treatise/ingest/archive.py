"""Safe reading of zip archives and their XML: bounded memory, no paths that point outside the archive."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from lxml import etree

from treatise.core.errors import DamagedSourceError, SourceTooLargeError
from treatise.ingest.limits import Limits

_SMALL_BYTES = 4 * 2**20  # a member that unpacks to less is harmless at any ratio
_OLE = b"\xd0\xcf\x11\xe0"  # first bytes of the container of locked and of old Office files
_ENCRYPTED = 0x1  # a bit of a member's flags

_XML_OPTIONS: Final = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": True,
    "remove_comments": True,
    "remove_pis": True,
}


class Archive:
    """A zip file in memory whose members are read one by one and never written to disk.

    Args:
        data: The whole file.
        name: Its name in error messages.
        limits: Bounds on the unpacked size of its members.

    Raises:
        DamagedSourceError: Not a zip file, truncated, encrypted, a zip bomb, or with names that point outside.
        SourceTooLargeError: Its members unpack to more than the limits allow.
    """

    def __init__(self, data: bytes, name: str, limits: Limits) -> None:
        self._name = name
        if data.startswith(_OLE):
            raise DamagedSourceError(
                f"{name}: locked with a password, or an old Office file (.doc, .xls, .ppt); save it in its program "
                "in the present format without a password"
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError) as error:
            raise DamagedSourceError(
                f"{name}: not a complete zip archive ({error}); download or save the file again"
            ) from error
        self._refuse_excess(limits)
        for member in self._zip.infolist():
            self._refuse_harm(member, limits)

    def _refuse_excess(self, limits: Limits) -> None:
        members = self._zip.infolist()
        n_bytes = sum(member.file_size for member in members)
        allowance = limits.allowance
        if allowance is not None and n_bytes > allowance.n_bytes:
            raise SourceTooLargeError(
                f"{self._name}: the archives in this file unpack to more than Limits.max_unpacked_bytes together; "
                "unpack it, and name the files in it"
            )
        if len(members) > limits.max_members or n_bytes > limits.max_unpacked_bytes:
            raise SourceTooLargeError(
                f"{self._name}: {len(members):,} files that unpack to {n_bytes:,} bytes; the limits are "
                f"{limits.max_members:,} and {limits.max_unpacked_bytes:,}; if you trust it, raise them in Limits"
            )
        if allowance is not None:
            allowance.n_bytes -= n_bytes

    def _refuse_harm(self, member: zipfile.ZipInfo, limits: Limits) -> None:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise DamagedSourceError(
                f"{self._name}: a member is named {member.filename!r}, outside the archive; "
                "it may have been built to do harm: get the file from its publisher"
            )
        if member.file_size > max(_SMALL_BYTES, limits.max_member_ratio * member.compress_size):
            raise DamagedSourceError(
                f"{self._name}: {member.filename} unpacks to {member.file_size:,} bytes from "
                f"{member.compress_size:,}, as a zip bomb does; if you trust it, raise Limits.max_member_ratio"
            )

    def paths(self) -> list[str]:
        """The members' paths in archive order; folders end with a slash."""
        return list(self._zip.NameToInfo)

    def __contains__(self, path: str) -> bool:
        return path in self._zip.NameToInfo

    def read(self, path: str) -> bytes:
        """A member's bytes.

        Raises:
            DamagedSourceError: It is missing, encrypted, or differs from its checksum or stated size.
        """
        try:
            member = self._zip.getinfo(path)
            if member.flag_bits & _ENCRYPTED:
                raise DamagedSourceError(f"{self._name}: locked with a password; save it without one")
            with self._zip.open(member) as stream:
                data = stream.read(member.file_size + 1)
        except KeyError as error:
            raise DamagedSourceError(
                f"{self._name}: the archive lacks {path}; download or save the file again"
            ) from error
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            RuntimeError,
            ValueError,
        ) as error:
            raise DamagedSourceError(
                f"{self._name}: {path} is damaged ({error}); download or save the file again"
            ) from error
        return data

    def xml(self, path: str) -> etree._Element:
        """The root of a member's XML; entities are not resolved.

        Raises:
            DamagedSourceError: As `read`; also if the XML is malformed or declares entities.
        """
        parser = etree.XMLParser(**_XML_OPTIONS)
        try:
            root = etree.fromstring(self.read(path), parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise self._malformed(path, error) from error
        self._refuse_entities(root, path)
        return root

    def xml_elements(self, path: str, tags: tuple[str, ...]) -> Iterator[etree._Element]:
        """Elements with these tags, as each one ends; the caller clears them to keep memory small.

        Raises:
            DamagedSourceError: As `xml`.
        """
        stream = io.BytesIO(self.read(path))
        events = etree.iterparse(stream, tag=tags, **_XML_OPTIONS)
        try:
            for at, (_, element) in enumerate(events):
                if at == 0:
                    self._refuse_entities(element, path)
                yield element
        except (etree.XMLSyntaxError, ValueError) as error:
            raise self._malformed(path, error) from error

    def _malformed(self, path: str, error: Exception) -> DamagedSourceError:
        return DamagedSourceError(f"{self._name}: {path} is not well-formed XML ({error}); save the file again")

    def _refuse_entities(self, element: etree._Element, path: str) -> None:
        dtd = element.getroottree().docinfo.internalDTD
        if dtd is not None and any(True for _ in dtd.iterentities()):
            raise DamagedSourceError(
                f"{self._name}: {path} declares XML entities, as an entity bomb does; get the file from its publisher"
            )
