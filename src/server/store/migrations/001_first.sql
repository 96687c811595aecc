CREATE TABLE sessions (
    session_id      TEXT PRIMARY KEY,
    project_id      TEXT NOT NULL,
    title           TEXT NOT NULL,
    created_at      REAL NOT NULL,
    updated_at      REAL NOT NULL,
    permission_mode TEXT NOT NULL,
    model           TEXT
) WITHOUT ROWID;

CREATE TABLE events (
    session_id TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    event      TEXT NOT NULL,
    PRIMARY KEY (session_id, seq)
);

CREATE TABLE requests (
    request_id  TEXT PRIMARY KEY,
    session_id  TEXT NOT NULL,
    asked_at    REAL NOT NULL,
    request     TEXT NOT NULL,
    response    TEXT,
    answered_at REAL,
    outcome     TEXT,
    resolved_by TEXT,
    resolved_at REAL
) WITHOUT ROWID;

CREATE INDEX requests_unsettled ON requests (session_id) WHERE outcome IS NULL;

CREATE TABLE logins (
    hash       BLOB PRIMARY KEY,
    created_at REAL NOT NULL
) WITHOUT ROWID;
