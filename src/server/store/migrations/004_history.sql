-- the history is read newest first
CREATE INDEX requests_by_time ON requests (asked_at, request_id);
