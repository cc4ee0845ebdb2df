"""The longer SQL statements of the SQLite store."""

from typing import Final

DOCUMENT: Final = """
    SELECT id, coalesce((SELECT min(s.source) FROM sources AS s WHERE s.document = d.number), d.source),
           title, language, text, structure
    FROM documents AS d WHERE number = ?
"""

INDEX: Final = """
    SELECT i.*, (SELECT crc FROM checksums WHERE number = i.number) AS crc
    FROM indexes AS i JOIN documents AS d ON d.number = i.document
    WHERE d.id = CAST(? AS TEXT) AND i.index_key = ?
"""

ENTRIES: Final = """
    SELECT number, id, CAST(title AS TEXT) AS title, CAST(language AS TEXT) AS language,
           CAST(n_words AS INTEGER) AS n_words, CAST(indexed_at AS REAL) AS indexed_at,
           (SELECT n_units FROM indexes AS i WHERE document = d.number ORDER BY i.number DESC LIMIT 1) AS n_units,
           coalesce((SELECT size FROM sources AS s WHERE document = d.number ORDER BY modified_ns DESC), 0) AS n_bytes,
           coalesce((SELECT max(modified_ns) FROM sources AS s WHERE document = d.number), 0) AS modified_ns
    FROM documents AS d"""

INSERT_DOCUMENT: Final = """
    INSERT INTO documents (id, source, title, language, n_words, indexed_at, structure, text)
    VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, language = excluded.language, n_words = excluded.n_words,
                                   structure = excluded.structure, text = excluded.text
"""
"""The same content again: it mends a row that was damaged on the disk."""

INSERT_SOURCE: Final = """
    INSERT INTO sources (source, document, size, modified_ns, digest) VALUES (CAST(? AS TEXT), ?, ?, ?, ?)
    ON CONFLICT (source) DO UPDATE SET document = excluded.document, size = excluded.size,
                                       modified_ns = excluded.modified_ns, digest = excluded.digest
"""

HAS_SOURCE: Final = "SELECT 1 FROM sources WHERE document = ? LIMIT 1"

TITLES: Final = """
    SELECT id, CAST(coalesce(
        (SELECT value FROM metadata WHERE document = number AND key = 'title' ORDER BY by_user DESC, place LIMIT 1),
        title
    ) AS TEXT) FROM documents ORDER BY number
"""
"""What the user set comes before what the source states."""

SIZES: Final = """
    SELECT CAST(id AS BLOB), coalesce(i.n_nodes, 0)
    FROM documents AS d LEFT JOIN indexes AS i ON i.document = d.number AND i.index_key = ? ORDER BY d.number
"""
