-- what a session has of its own, as JSON; the rest is as in the settings
ALTER TABLE sessions ADD COLUMN policies TEXT;
