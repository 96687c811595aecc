-- open when the server stopped, and nobody has seen yet that it was cut off
ALTER TABLE requests ADD COLUMN cut_off INTEGER NOT NULL DEFAULT 0;
CREATE INDEX requests_cut_off ON requests (session_id) WHERE cut_off = 1;
