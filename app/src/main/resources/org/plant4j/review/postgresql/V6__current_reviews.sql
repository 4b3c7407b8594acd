-- Statistics skip superseded reviews and select by time.
CREATE INDEX review_supersedes ON review (supersedes);
CREATE INDEX review_at ON review (at);
