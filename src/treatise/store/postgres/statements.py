"""The SQL statements of the PostgreSQL store; ``{s}`` is its schema."""

from typing import Final, LiteralString

_SOURCE: Final[LiteralString] = (
    'coalesce((SELECT min(o.source COLLATE "C") FROM {s}.sources AS o WHERE o.document = d.number), d.source)'
)

_STATED: Final[LiteralString] = (
    "(SELECT json_agg(json_build_array(key, by_user, value) ORDER BY by_user, place)"
    " FROM {s}.metadata WHERE document = d.number AND by_user = 0)"
)

DOCUMENT: Final[LiteralString] = (
    f"SELECT d.id, {_SOURCE} AS source, title, language, text, structure, {_STATED} AS metadata"
    " FROM {s}.documents AS d WHERE number = %s"
)

INDEX: Final[LiteralString] = f"""
    SELECT d.id, {_SOURCE} AS source, d.title, d.language, d.text, d.structure, {_STATED} AS metadata,
           i.*, v.rows
    FROM {{s}}.documents AS d
    JOIN {{s}}.indexes AS i ON i.document = d.number
    LEFT JOIN {{s}}.vectors AS v ON v.number = i.number
    WHERE d.id = %s AND i.index_key = %s ORDER BY v.part
"""
"""One statement is one view of the library: a document and its index are of the same moment."""

ENTRIES: Final[LiteralString] = """
    SELECT d.number, d.id, d.title, d.language, d.n_words, d.indexed_at,
           (SELECT n_units FROM {s}.indexes WHERE document = d.number ORDER BY number DESC LIMIT 1) AS n_units,
           ARRAY(SELECT index_key FROM {s}.indexes WHERE document = d.number) AS index_keys,
           ARRAY(SELECT source FROM {s}.sources WHERE document = d.number) AS sources,
           (SELECT size FROM {s}.sources WHERE document = d.number ORDER BY modified_ns DESC LIMIT 1) AS n_bytes,
           (SELECT max(modified_ns) FROM {s}.sources WHERE document = d.number) AS modified_ns,
           (SELECT json_agg(json_build_array(key, by_user, value) ORDER BY by_user, place)
            FROM {s}.metadata WHERE document = d.number) AS metadata
    FROM {s}.documents AS d
"""

INSERT_DOCUMENT: Final[LiteralString] = """
    INSERT INTO {s}.documents (id, source, title, language, n_words, structure, text, indexed_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, extract(epoch FROM clock_timestamp()))
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, language = excluded.language, n_words = excluded.n_words,
                                   structure = excluded.structure, text = excluded.text
    RETURNING number
"""
"""The server's clock: those of several machines differ."""

INSERT_SOURCE: Final[LiteralString] = """
    INSERT INTO {s}.sources (source, document, size, modified_ns, digest) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (source) DO UPDATE SET document = excluded.document, size = excluded.size,
                                       modified_ns = excluded.modified_ns, digest = excluded.digest
"""

INHERIT: Final[LiteralString] = """
    INSERT INTO {s}.metadata (document, key, by_user, place, value)
    SELECT %(heir)s, key, by_user, place, value FROM {s}.metadata
    WHERE document = %(former)s AND by_user = 1
          AND key NOT IN (SELECT key FROM {s}.metadata WHERE document = %(heir)s AND by_user = 1)
"""

INSERT_METADATA: Final[LiteralString] = (
    "INSERT INTO {s}.metadata (document, key, by_user, place, value) VALUES (%s, %s, %s, %s, %s)"
)

STATE: Final[LiteralString] = """
    SELECT d.id, o.size, o.modified_ns, o.digest
    FROM {s}.sources AS o JOIN {s}.documents AS d ON d.number = o.document WHERE o.source = %s
"""

SIZES: Final[LiteralString] = """
    SELECT d.id, coalesce(i.n_nodes, 0) AS n_nodes
    FROM {s}.documents AS d LEFT JOIN {s}.indexes AS i ON i.document = d.number AND i.index_key = %s
    ORDER BY d.number
"""

REVISE: Final[LiteralString] = "UPDATE {s}.revision SET n = n + 1 WHERE shard = mod(pg_backend_pid(), 32)"

SAVE_CALL: Final[LiteralString] = """
    INSERT INTO {s}.calls (key, texts, prompt_tokens, completion_tokens, misfit) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (key) DO NOTHING
"""

FAULTS: Final[tuple[tuple[str, LiteralString], ...]] = (
    (
        "documents have no index",
        "SELECT count(*) FROM {s}.documents AS d"
        " WHERE NOT EXISTS (SELECT 1 FROM {s}.indexes WHERE document = d.number)",
    ),
    (
        "indexes have no vectors",
        "SELECT count(*) FROM {s}.indexes AS i WHERE n_nodes > 0"
        " AND NOT EXISTS (SELECT 1 FROM {s}.vectors WHERE number = i.number)",
    ),
)
"""What no transaction of ours leaves behind."""

DESCRIPTION: Final[LiteralString] = """
    SELECT split_part(current_setting('server_version'), ' ', 1) AS server,
           (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector,
           (SELECT coalesce(sum(pg_total_relation_size(format('%%I.%%I', schemaname, tablename)::regclass)), 0)::bigint
            FROM pg_tables WHERE schemaname = %s) AS bytes
"""
