-- Users who sign in at a provider. Reviews are signed with the name, so it belongs to one subject for ever.
CREATE TABLE plant4j_user (
    issuer  TEXT NOT NULL,
    subject TEXT NOT NULL,
    name    TEXT NOT NULL UNIQUE,
    created TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
