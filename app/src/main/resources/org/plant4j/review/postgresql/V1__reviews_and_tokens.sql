CREATE TABLE review (
    number          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id              TEXT NOT NULL UNIQUE,
    at              TEXT NOT NULL,
    reviewer        TEXT NOT NULL,
    version         TEXT NOT NULL,
    document        TEXT,
    idempotency_key TEXT,
    body            TEXT NOT NULL,
    UNIQUE (reviewer, idempotency_key)
);

CREATE FUNCTION refuse_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'reviews are only ever added';
END;
$$;

CREATE TRIGGER review_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON review
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE token (
    number  BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    role    TEXT NOT NULL,
    hash    TEXT NOT NULL UNIQUE,
    created TEXT NOT NULL,
    revoked TEXT
);
