-- Rows of earlier versions have no hash; the chain covers them from the first row that has one.
ALTER TABLE review ADD COLUMN digest TEXT;
ALTER TABLE review ADD COLUMN supersedes TEXT;
ALTER TABLE review ADD COLUMN hash TEXT;

CREATE INDEX review_of_document ON review (document, reviewer);

-- Written by the health check.
CREATE TABLE plant4j_health (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL
);
