-- Many new refs at once are written ahead, a few at a time, and are there for nobody as long as their batch is listed: what makes them
-- all visible, in the transaction of whatever else belongs to them, is that one row goes.
CREATE TABLE ref_batch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX ref_batch_repo ON ref_batch (repo_id);
ALTER TABLE ref ADD COLUMN batch INTEGER;
