-- what an agent said that it can do, as JSON: known also before one is started again
CREATE TABLE capabilities (agent TEXT PRIMARY KEY, said TEXT NOT NULL);
