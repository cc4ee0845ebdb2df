"""The leaves of all documents at the server: vectors as halfvec with an HNSW index, and postings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from treatise.core.ports.leaf_index import CoveredDocument, Keys, LeafRows, LeafTree, Postings
from treatise.core.vectors import Floats
from treatise.store.postgres.address import Address
from treatise.store.postgres.connections import Connection, Connections
from treatise.store.postgres.leaf_trees import bytes_of, tree_of
from treatise.store.postgres.schema import on_schema
from treatise.store.postgres.text import escaped, unescaped

EF_SEARCH: Final = 400
"""Leaves that a search of the HNSW index keeps in view; the more, the nearer to the exact result."""

_MAX_EXACT: Final = 20_000
"""Leaves up to which a filtered search compares all."""

_TOGETHER: Final = 64
_SHIFT: Final = 32
_SENT: Final = np.dtype([("size", ">i4"), ("value", ">f4")])
_SENT_HEAD: Final = 20

_TABLES: Final = (
    """
    CREATE TABLE {segments} (
        number bigint PRIMARY KEY,
        id text NOT NULL,
        language text NOT NULL,
        n_leaves integer NOT NULL,
        n_terms bigint NOT NULL,
        headings bytea NOT NULL,
        tree bytea
    )
    """,
    """
    CREATE TABLE {leaves} (
        number bigint NOT NULL,
        unit integer NOT NULL,
        vector halfvec({dim}) NOT NULL,
        PRIMARY KEY (number, unit)
    )
    """,
    """
    CREATE TABLE {postings} (
        term bigint NOT NULL,
        number bigint NOT NULL,
        units bytea NOT NULL,
        counts bytea NOT NULL,
        lengths bytea NOT NULL,
        PRIMARY KEY (term, number)
    )
    """,
)
_INDEXES: Final = (
    "CREATE INDEX ON {postings} (number)",
    "CREATE INDEX ON {leaves} USING hnsw (vector halfvec_ip_ops)",
    "ANALYZE {segments}",
    "ANALYZE {leaves}",
    "ANALYZE {postings}",
)
_LIVE: Final = "SELECT i.number FROM {s}.indexes AS i WHERE i.index_key = %s"


class PostgresLeaves:
    """A ``LeafIndex`` of the documents with one index key, in three tables of its own.

    It is derived from the library: a user with the right to create tables makes it, and it may be dropped.

    Args:
        connections: Of the library.
        address: The library.
        index_key: The key of the indexes that it covers.
    """

    def __init__(self, connections: Connections, address: Address, index_key: str) -> None:
        self._connections = connections
        self._address = address
        self._key = escaped(index_key)
        self._corpus: int | None = None
        self._is_indexed = False

    def missing(self) -> list[str]:
        """See ``LeafIndex.missing``."""
        self._corpus = None  # another process may have dropped the tables
        covered = "" if self._number() is None else " AND i.number NOT IN (SELECT number FROM {segments})"
        rows = self._rows(
            "SELECT d.id FROM {s}.documents AS d JOIN {s}.indexes AS i ON i.document = d.number"
            " WHERE i.index_key = %s AND i.n_units > 0" + covered + " ORDER BY d.number",
            (self._key,),
        )
        return [id_ for (id_,) in rows]

    def update(self, missing: Iterator[LeafRows]) -> None:
        """See ``LeafIndex.update``. The tables are indexed when the first documents are in."""
        if self._number() is not None:
            self._connections.write(self._sweep)
        while some := list(islice(missing, _TOGETHER)):
            if self._number() is None:
                self._connections.write(partial(self._create, dim=some[0].vectors.shape[1]))
            self._connections.write(partial(self._add_all, documents=some))
        if self._number() is not None and not self._is_indexed:
            self._connections.write(self._index)
            self._is_indexed = True

    def drop(self) -> None:
        """See ``LeafIndex.drop``."""
        if self._number() is not None:
            self._connections.write(self._remove)
        self._corpus, self._is_indexed = None, False

    def documents(self) -> list[CoveredDocument]:
        """See ``LeafIndex.documents``."""
        if self._number() is None:
            return []
        query = "SELECT number, id, language, n_leaves, n_terms FROM {segments}"
        rows = self._rows(f"{query} WHERE number IN ({_LIVE}) ORDER BY number", (self._key,))
        return [CoveredDocument(number, id_, unescaped(language), *sizes) for number, id_, language, *sizes in rows]

    def nearest(self, vector: Floats, n: int, among: Collection[int] | None) -> tuple[Keys, Floats]:
        """See ``LeafIndex.nearest``."""
        wanted = HalfVector(vector)
        if among is None:
            query = "SELECT number, unit, -(vector <#> %s) FROM {leaves} ORDER BY vector <#> %s LIMIT %s"
            return _keyed(self._searched(query, (wanted, wanted, n)))
        if self._n_leaves(among) <= _MAX_EXACT:
            query = (
                "WITH own AS MATERIALIZED (SELECT * FROM {leaves} WHERE number = ANY(%s))"
                " SELECT number, unit, -(vector <#> %s) FROM own ORDER BY vector <#> %s LIMIT %s"
            )
        else:
            query = (
                "SELECT number, unit, -(vector <#> %s) FROM {leaves} WHERE number = ANY(%s)"
                " ORDER BY vector <#> %s LIMIT %s"
            )
            return _keyed(self._searched(query, (wanted, list(among), wanted, n)))
        return _keyed(self._searched(query, (list(among), wanted, wanted, n)))

    def exact(self, vector: Floats, n: int) -> tuple[Keys, Floats]:
        """As ``nearest``, without the HNSW index: what it is compared with."""
        wanted = HalfVector(vector)
        query = "SELECT number, unit, -(vector <#> %s) FROM {leaves} ORDER BY (vector <#> %s) + 0 LIMIT %s"
        return _keyed(self._rows(query, (wanted, wanted, n)))

    def postings(self, term: int) -> Postings:
        """See ``LeafIndex.postings``."""
        query = (
            "SELECT array_agg(number), array_agg(octet_length(units) / 4), string_agg(units, ''::bytea),"
            " string_agg(counts, ''::bytea), string_agg(lengths, ''::bytea) FROM {postings} WHERE term = %s"
        )
        ((numbers, sizes, units, counts, lengths),) = self._rows(query, (_signed(term),))
        return Postings(
            np.array(numbers or [], dtype=np.int64),
            np.array(sizes or [], dtype=np.int64),
            np.frombuffer(units or b"", "<i4"),
            np.frombuffer(counts or b"", "<u2"),
            np.frombuffer(lengths or b"", "<i4"),
        )

    def products(self, vector: Floats, keys: Keys) -> Floats:
        """See ``LeafIndex.products``."""
        numbers, units = (keys >> _SHIFT).tolist(), (keys & ((1 << _SHIFT) - 1)).tolist()
        query = (
            "SELECT -(l.vector <#> %s)"
            " FROM unnest(%s::bigint[], %s::integer[]) WITH ORDINALITY AS w (number, unit, place)"
            " JOIN {leaves} AS l USING (number, unit) ORDER BY w.place"
        )
        return _floats(self._rows(query, (HalfVector(vector), numbers, units)))

    def sample(self, vector: Floats, n: int, among: Collection[int] | None) -> Floats:
        """See ``LeafIndex.sample``."""
        every = max(1, self._n_leaves(among) // n)
        condition, chosen = ("TRUE", ()) if among is None else ("number = ANY(%s)", (list(among),))
        percent = min(100.0, 100.0 / every)
        table = f"{{leaves}} TABLESAMPLE SYSTEM ({percent}) REPEATABLE (1)" if among is None else "{leaves}"
        thinned = condition if among is None or every == 1 else f"{condition} AND unit %% {every} = 0"
        query = f"SELECT array_send(array_agg((-(vector <#> %s))::real)) FROM {table} WHERE {thinned}"
        ((found,),) = self._rows(query, (HalfVector(vector), *chosen))
        return _reals(found) if found else np.zeros(1, dtype=np.float32)

    def openings(self, numbers: Sequence[int], n_leaves: int) -> Mapping[int, Floats]:
        """See ``LeafIndex.openings``."""
        query = (
            "SELECT number, l2_normalize(avg(vector::vector)) FROM {leaves}"
            " WHERE number = ANY(%s) AND unit < %s GROUP BY number"
        )
        rows = self._rows(query, (list(numbers), n_leaves))
        return {number: np.asarray(_array(found), dtype=np.float32) for number, found in rows}

    def of_documents(
        self, vector: Floats, numbers: Sequence[int]
    ) -> Mapping[int, tuple[Floats, npt.NDArray[np.int32]]]:
        """See ``LeafIndex.of_documents``."""
        query = (
            "SELECT l.number, array_send(l.products), s.headings FROM"
            " (SELECT number, array_agg((-(vector <#> %s))::real ORDER BY unit) AS products"
            " FROM {leaves} WHERE number = ANY(%s) GROUP BY number) AS l JOIN {segments} AS s USING (number)"
        )
        rows = self._rows(query, (HalfVector(vector), list(numbers)))
        return {number: (_reals(products), np.frombuffer(headings, "<i4")) for number, products, headings in rows}

    def trees(self, numbers: Sequence[int]) -> Mapping[int, LeafTree]:
        """See ``LeafIndex.trees``."""
        query = "SELECT number, tree, n_leaves FROM {segments} WHERE number = ANY(%s) AND tree IS NOT NULL"
        return {number: tree_of(tree, n_leaves) for number, tree, n_leaves in self._rows(query, (list(numbers),))}

    def _n_leaves(self, among: Collection[int] | None) -> int:
        condition, chosen = ("TRUE", ()) if among is None else ("number = ANY(%s)", (list(among),))
        ((n_leaves,),) = self._rows(
            f"SELECT coalesce(sum(n_leaves), 0)::bigint FROM {{segments}} WHERE {condition}", chosen
        )
        return int(n_leaves)

    def _number(self) -> int | None:
        """The number of the tables; None if they do not exist."""
        if self._corpus is None:
            query = on_schema("SELECT number FROM {s}.corpora WHERE index_key = %s", self._address)
            row = self._connections.read(lambda connection: connection.execute(query, (self._key,)).fetchone())
            self._corpus = int(row[0]) if row else None
        return self._corpus

    def _create(self, connection: Connection, dim: int) -> None:
        query = "INSERT INTO {s}.corpora (index_key) VALUES (%s) ON CONFLICT DO NOTHING RETURNING number"
        row = connection.execute(on_schema(query, self._address), (self._key,)).fetchone()
        if row is None:  # another process has made them
            return
        names = self._names(int(row[0]))
        for statement in _TABLES:
            connection.execute(on_schema(statement.replace("{dim}", str(int(dim))), self._address, **names))
        self._corpus = int(row[0])

    def _remove(self, connection: Connection) -> None:
        connection.execute(self._composed("DELETE FROM {s}.corpora WHERE index_key = %s"), (self._key,))
        connection.execute(self._composed("DROP TABLE IF EXISTS {segments}, {leaves}, {postings}"))

    def _index(self, connection: Connection) -> None:
        """Indexes the tables when the first documents are in, unless another process has done so: that is faster."""
        names = self._names(self._number() or 0)
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 2))", (str(names),))
        query = "SELECT count(*) FROM pg_indexes WHERE schemaname = %s AND tablename = %s"
        row = connection.execute(query, (self._address.schema, names["leaves"])).fetchone()
        if row is not None and row[0] > 1:
            return
        connection.execute("SET LOCAL maintenance_work_mem = '512MB'")
        for statement in _INDEXES:
            connection.execute(self._composed(statement))

    def _add_all(self, connection: Connection, documents: Sequence[LeafRows]) -> None:
        for rows in documents:
            self._add(connection, rows)

    def _add(self, connection: Connection, rows: LeafRows) -> None:
        """Adds a document, unless it is gone or another process has added it."""
        query = (
            "SELECT i.number, d.language FROM {s}.indexes AS i JOIN {s}.documents AS d ON d.number = i.document"
            " WHERE i.index_key = %s AND d.id = %s FOR SHARE"
        )
        found = connection.execute(self._composed(query), (self._key, rows.document)).fetchone()
        if found is None:
            return
        number, language = found
        sizes = len(rows.vectors), int(rows.lexicon.lengths.sum())
        arrays = rows.headings.astype("<i4").tobytes(), bytes_of(rows.tree) if rows.tree else None
        segment = (number, rows.document, language, *sizes, *arrays)
        insert = "INSERT INTO {segments} VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
        if connection.execute(self._composed(insert), segment).rowcount:
            self._copy(connection, "leaves", ("int8", "int4", "halfvec"), _leaves(number, rows))
            self._copy(connection, "postings", ("int8", "int8", "bytea", "bytea", "bytea"), _postings(number, rows))

    def _copy(self, connection: Connection, table: str, types: Sequence[str], rows: Iterator[tuple[Any, ...]]) -> None:
        query = self._composed(f"COPY {{{table}}} FROM STDIN WITH (FORMAT BINARY)")
        _register(connection)
        with connection.cursor() as cursor, cursor.copy(query) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    def _sweep(self, connection: Connection) -> None:
        """Removes the documents that the store no longer has."""
        query = f"DELETE FROM {{segments}} WHERE number NOT IN ({_LIVE}) RETURNING number"
        gone = [number for (number,) in connection.execute(self._composed(query), (self._key,))]
        for table in ("leaves", "postings") if gone else ():
            connection.execute(self._composed(f"DELETE FROM {{{table}}} WHERE number = ANY(%s)"), (gone,))

    def _searched(self, query: str, arguments: Sequence[object]) -> list[tuple[Any, ...]]:
        """The rows of a query that uses the HNSW index."""

        def work(connection: Connection) -> list[tuple[Any, ...]]:
            with connection.transaction():
                connection.execute(f"SET LOCAL hnsw.ef_search = {EF_SEARCH}")
                connection.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
                return self._fetched(connection, query, arguments)

        return self._connections.read(work)

    def _rows(self, query: str, arguments: Sequence[object]) -> list[tuple[Any, ...]]:
        return self._connections.read(lambda connection: self._fetched(connection, query, arguments))

    def _fetched(self, connection: Connection, query: str, arguments: Sequence[object]) -> list[tuple[Any, ...]]:
        _register(connection)
        with connection.cursor(binary=True) as cursor:
            return cursor.execute(self._composed(query), arguments).fetchall()

    def _composed(self, statement: str) -> Any:
        return on_schema(statement, self._address, **self._names(self._number() or 0))

    @staticmethod
    def _names(number: int) -> dict[str, str]:
        return {name: f"{name}_{number}" for name in ("segments", "leaves", "postings")}


def _register(connection: Connection) -> None:
    """Makes the types of pgvector known to a connection: it may be older than the library."""
    if connection.adapters.types.get("halfvec") is None:
        register_vector(connection)


def _leaves(number: int, rows: LeafRows) -> Iterator[tuple[int, int, HalfVector]]:
    for unit, vector in enumerate(rows.vectors):
        yield number, unit, HalfVector(vector)


def _postings(number: int, rows: LeafRows) -> Iterator[tuple[Any, ...]]:
    lexicon = rows.lexicon
    starts = lexicon.starts.tolist()
    for place, term in enumerate(lexicon.terms.tolist()):
        here = slice(starts[place], starts[place + 1])
        units = lexicon.units[here]
        counts, lengths = lexicon.counts[here].astype("<u2"), lexicon.lengths[units].astype("<i4")
        yield _signed(term), number, units.astype("<i4").tobytes(), counts.tobytes(), lengths.tobytes()


def _signed(term: int) -> int:
    """A hash of 64 bits as the server's signed integer."""
    return term - (1 << 64) if term >= 1 << 63 else term


def _keyed(rows: list[tuple[Any, ...]]) -> tuple[Keys, Floats]:
    keys = np.array([(number << _SHIFT) + unit for number, unit, _ in rows], dtype=np.int64)
    return keys, np.array([product for _, _, product in rows], dtype=np.float32)


def _reals(sent: bytes) -> Floats:
    """The numbers of an array of one dimension as the server sends it: a head, then each with its size before it."""
    found: Floats = np.frombuffer(sent, _SENT, offset=_SENT_HEAD)["value"].astype(np.float32)
    return found


def _array(found: Any) -> Any:
    """What pgvector reads as an array or as a ``Vector``, by its version."""
    return found if isinstance(found, np.ndarray) else found.to_numpy()


def _floats(rows: list[tuple[Any, ...]]) -> Floats:
    return np.array([value for (value,) in rows], dtype=np.float32)
