-- 1 in the database together with its log, 0 in the database file alone, while a server has the store open: a complete copy has 1, a copy
-- that lacks the log has 0.
ALTER TABLE store_state ADD COLUMN is_complete INTEGER NOT NULL DEFAULT 0;
