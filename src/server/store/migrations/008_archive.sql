-- put away by a person: in no list, and nothing of it is lost
ALTER TABLE sessions ADD COLUMN archived_at REAL;
-- of a request whose session was deleted: where it was asked
ALTER TABLE requests ADD COLUMN project_id TEXT;
ALTER TABLE requests ADD COLUMN title TEXT;
