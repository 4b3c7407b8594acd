-- Encounters that wait to be coded. Times are in UTC with milliseconds, so that they sort as text.
CREATE TABLE plant4j_encounter (
    number        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    date          TEXT,
    source        TEXT NOT NULL,
    arrived       TEXT NOT NULL,
    state         TEXT NOT NULL,
    reopened      TEXT,
    claimed_by    TEXT,
    claimed_until TEXT,
    coder         TEXT,
    review        TEXT
);

CREATE INDEX plant4j_encounter_state ON plant4j_encounter (state, number);

-- The digest outlives the text, which is deleted after coding if the server keeps no texts.
CREATE TABLE plant4j_encounter_document (
    number    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    encounter TEXT NOT NULL,
    id        TEXT NOT NULL,
    title     TEXT NOT NULL,
    text      TEXT,
    digest    TEXT NOT NULL,
    source    TEXT NOT NULL,
    arrived   TEXT NOT NULL,
    UNIQUE (encounter, id)
);
