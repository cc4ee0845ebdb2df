"""Documents and their indexes in a PostgreSQL database, for several machines and users (extra ``postgres``)."""

from treatise.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
