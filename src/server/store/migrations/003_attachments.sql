CREATE TABLE attachments (
    attachment_id TEXT PRIMARY KEY,
    session_id    TEXT NOT NULL,
    name          TEXT NOT NULL,
    media_type    TEXT NOT NULL,
    content       BLOB NOT NULL
);

CREATE INDEX attachments_of_session ON attachments (session_id);
