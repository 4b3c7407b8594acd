CREATE TABLE review (
    number          INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE,
    at              TEXT NOT NULL,
    reviewer        TEXT NOT NULL,
    version         TEXT NOT NULL,
    document        TEXT,
    idempotency_key TEXT,
    body            TEXT NOT NULL,
    UNIQUE (reviewer, idempotency_key)
);

CREATE TRIGGER review_is_never_changed BEFORE UPDATE ON review
BEGIN
    SELECT RAISE(ABORT, 'reviews are only ever added');
END;

CREATE TRIGGER review_is_never_deleted BEFORE DELETE ON review
BEGIN
    SELECT RAISE(ABORT, 'reviews are only ever added');
END;

CREATE TABLE token (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    name    TEXT NOT NULL UNIQUE,
    role    TEXT NOT NULL,
    hash    TEXT NOT NULL UNIQUE,
    created TEXT NOT NULL,
    revoked TEXT
);
