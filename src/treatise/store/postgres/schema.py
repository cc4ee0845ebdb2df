"""The tables of a library in PostgreSQL, and their migrations.

A migration is a list of statements with its number in its name; the table ``library`` counts them. A published
migration is never edited: a change gets a new one.
"""

from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql

from treatise.core.errors import StoreDamagedError, StoreError, StoreUnwritableError, StoreVersionError
from treatise.store.postgres.address import Address
from treatise.store.postgres.connections import Connection

Statements = tuple[LiteralString, ...]

_MIGRATION_1: Final[Statements] = (
    """
    CREATE TABLE {s}.documents (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id text COLLATE "C" NOT NULL UNIQUE,
        source text NOT NULL,
        title text NOT NULL,
        language text NOT NULL,
        n_words bigint NOT NULL,
        indexed_at double precision NOT NULL,
        structure bytea NOT NULL,
        text bytea NOT NULL
    )
    """,
    """
    CREATE TABLE {s}.sources (
        source text COLLATE "C" PRIMARY KEY,
        document bigint NOT NULL REFERENCES {s}.documents ON DELETE CASCADE,
        size bigint NOT NULL,
        modified_ns bigint NOT NULL,
        digest text NOT NULL
    )
    """,
    "CREATE INDEX sources_by_document ON {s}.sources (document)",
    """
    CREATE TABLE {s}.metadata (
        document bigint NOT NULL REFERENCES {s}.documents ON DELETE CASCADE,
        key text COLLATE "C" NOT NULL,
        by_user smallint NOT NULL,
        place integer NOT NULL,
        value text NOT NULL,
        PRIMARY KEY (document, key, by_user, place)
    )
    """,
    """
    CREATE TABLE {s}.indexes (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        document bigint NOT NULL REFERENCES {s}.documents ON DELETE CASCADE,
        index_key text COLLATE "C" NOT NULL,
        made_from text NOT NULL,
        treatise_version text NOT NULL,
        n_units bigint NOT NULL,
        n_nodes bigint NOT NULL,
        dim integer NOT NULL,
        units bytea NOT NULL,
        tree bytea NOT NULL,
        relations text NOT NULL,
        lexicon_terms bytea NOT NULL,
        lexicon_starts bytea NOT NULL,
        lexicon_units bytea NOT NULL,
        lexicon_counts bytea NOT NULL,
        lexicon_lengths bytea NOT NULL,
        notes bytea,
        clusters bytea,
        crc bigint,
        UNIQUE (document, index_key)
    )
    """,
    """
    CREATE TABLE {s}.vectors (
        number bigint NOT NULL REFERENCES {s}.indexes ON DELETE CASCADE,
        part integer NOT NULL,
        rows bytea NOT NULL,
        PRIMARY KEY (number, part)
    )
    """,
    """
    CREATE TABLE {s}.calls (
        key text PRIMARY KEY,
        texts bytea NOT NULL,
        prompt_tokens bigint NOT NULL,
        completion_tokens bigint NOT NULL,
        misfit text NOT NULL
    )
    """,
    "CREATE TABLE {s}.revision (shard smallint PRIMARY KEY, n bigint NOT NULL) WITH (fillfactor = 50)",
    "INSERT INTO {s}.revision SELECT shard, 0 FROM generate_series(0, 31) AS shard",
    # What is deflated or random already is not compressed again.
    "ALTER TABLE {s}.documents ALTER structure SET STORAGE EXTERNAL, ALTER text SET STORAGE EXTERNAL",
    "ALTER TABLE {s}.vectors ALTER rows SET STORAGE EXTERNAL",
    """
    ALTER TABLE {s}.indexes ALTER units SET STORAGE EXTERNAL, ALTER tree SET STORAGE EXTERNAL,
        ALTER lexicon_terms SET STORAGE EXTERNAL, ALTER lexicon_starts SET STORAGE EXTERNAL,
        ALTER lexicon_units SET STORAGE EXTERNAL, ALTER lexicon_counts SET STORAGE EXTERNAL,
        ALTER lexicon_lengths SET STORAGE EXTERNAL
    """,
)
"""Documents, sources, metadata, indexes with their vectors, finished calls, and a number that changes with them."""

_MIGRATION_2: Final[Statements] = (
    """
    CREATE TABLE {s}.corpora (
        number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        index_key text COLLATE "C" NOT NULL UNIQUE
    )
    """,
)
"""Indexes over the leaves of all documents: each has tables of its own, with its number in their names."""

_MIGRATION_3: Final[Statements] = (
    """
    DO $do$
    DECLARE corpus record;
    BEGIN
        FOR corpus IN SELECT number FROM {s}.corpora LOOP
            EXECUTE format(
                'DROP TABLE IF EXISTS %1$s.segments_%2$s, %1$s.leaves_%2$s, %1$s.postings_%2$s',
                $schema${s}$schema$, corpus.number
            );
        END LOOP;
    END $do$
    """,
    "DELETE FROM {s}.corpora",
)
"""Indexes over all documents have trees; older ones are made again."""

MIGRATIONS: Final[tuple[Statements, ...]] = (_MIGRATION_1, _MIGRATION_2, _MIGRATION_3)


def on_schema(statement: LiteralString, address: Address, **names: str) -> sql.Composed:
    """The statement with ``{s}`` replaced by the library's schema, and other names by identifiers."""
    parts = {name: sql.Identifier(address.schema, text) for name, text in names.items()}
    return sql.SQL(statement).format(s=sql.Identifier(address.schema), **parts)


def version_of(connection: Connection, address: Address) -> int:
    """The number of migrations that the library has had; 0 if it does not exist.

    Raises:
        StoreDamagedError: If the schema belongs to another program.
        StoreVersionError: If a newer Treatise wrote it.
    """
    tables = _tables(connection, address)
    if "library" not in tables:
        if not tables.isdisjoint(("documents", "indexes")):
            raise StoreDamagedError(
                f"{address.name}: the schema {address.schema} belongs to another program: name another with "
                "?schema=NAME"
            )
        return 0
    version: int = _row(connection, on_schema("SELECT version FROM {s}.library", address))[0]
    if version > len(MIGRATIONS):
        raise StoreVersionError(
            f"{address.name} has schema version {version}, this Treatise reads up to {len(MIGRATIONS)}: upgrade "
            "Treatise, or name another database"
        )
    return version


def migrate(connection: Connection, address: Address) -> None:
    """Creates the library or brings it to this version; processes that do so at the same time take turns.

    Raises:
        StoreError: If the server has no pgvector, or refuses.
    """
    if version_of(connection, address) < len(MIGRATIONS):
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"treatise {address.schema}",))
            version = version_of(connection, address)
            if version == 0:
                _prepare(connection, address)
            for migration in MIGRATIONS[version:]:
                for statement in migration:
                    connection.execute(on_schema(statement, address))
            connection.execute(on_schema("UPDATE {s}.library SET version = %s", address), (len(MIGRATIONS),))
    if not _is_writable(connection, address):
        raise StoreUnwritableError(
            f"{address.name} is not writable for this user: ask for INSERT, UPDATE and DELETE on the tables of "
            f"the schema {address.schema}, or write to the primary server"
        )


def _prepare(connection: Connection, address: Address) -> None:
    """The extension, the schema, and the table that counts migrations."""
    if (encoding := _row(connection, "SHOW server_encoding")[0]) != "UTF8":
        raise StoreError(f"{address.name} has the encoding {encoding}: create a database with ENCODING 'UTF8'")
    if _row(connection, "SELECT count(*) FROM pg_extension WHERE extname = 'vector'")[0] == 0:
        _create_extension(connection, address)
    if not _row(connection, "SELECT count(*) FROM pg_namespace WHERE nspname = %s", address.schema)[0]:
        connection.execute(on_schema("CREATE SCHEMA {s}", address))
    connection.execute(on_schema("CREATE TABLE {s}.library (version integer NOT NULL)", address))
    connection.execute(on_schema("INSERT INTO {s}.library VALUES (0)", address))


def _create_extension(connection: Connection, address: Address) -> None:
    try:
        connection.execute("CREATE EXTENSION vector")
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreUnwritableError(
            f"{address.name}: this user may not enable pgvector: a superuser runs CREATE EXTENSION vector there once"
        ) from error
    except (psycopg.errors.FeatureNotSupported, psycopg.errors.UndefinedFile) as error:
        raise StoreError(
            f"{address.name}: the server has no pgvector: install it there (Debian: postgresql-NN-pgvector), then try "
            "again"
        ) from error


def _is_writable(connection: Connection, address: Address) -> bool:
    table = f"{address.schema}.documents"
    found: tuple[bool] = _row(
        connection,
        "SELECT has_table_privilege(%s, 'INSERT, UPDATE, DELETE') AND NOT pg_is_in_recovery()",
        table,
    )
    return found[0]


def _tables(connection: Connection, address: Address) -> set[str]:
    """The names of the schema's tables, in one view: ``to_regclass`` may answer from a cache."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = %s"
    return {name for (name,) in connection.execute(query, (address.schema,))}


def _row(connection: Connection, query: Any, *arguments: object) -> Any:
    row = connection.execute(query, arguments).fetchone()
    assert row is not None, "these queries return one row"
    return row
