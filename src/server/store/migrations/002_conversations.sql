-- the agent's id of the conversation, when it is not the session's own (after /clear)
ALTER TABLE sessions ADD COLUMN conversation_id TEXT;
-- started so that it may be switched to doing everything without asking
ALTER TABLE sessions ADD COLUMN may_bypass INTEGER NOT NULL DEFAULT 0;
-- the agent's id of the conversation this is to be a copy of, until the copy is made
ALTER TABLE sessions ADD COLUMN fork_of TEXT;
