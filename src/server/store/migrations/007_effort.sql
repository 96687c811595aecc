-- how much the model is to think; none: as the agent wants
ALTER TABLE sessions ADD COLUMN effort TEXT;
