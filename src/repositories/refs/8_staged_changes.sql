-- A batch may also move refs that are there, or delete them: what it makes of one stands beside it, and holds for everybody once the batch
-- is listed no more. Zeros for a ref that goes; NULL for one that the batch creates. Rows are made plain again afterwards.
ALTER TABLE ref ADD COLUMN next_oid TEXT;
ALTER TABLE ref ADD COLUMN next_peeled TEXT;
ALTER TABLE ref ADD COLUMN next_time INTEGER;
CREATE INDEX ref_unsettled ON ref (repo_id, name) WHERE next_oid IS NOT NULL;
DROP INDEX ref_branch_time;
CREATE INDEX ref_branch_time ON ref (repo_id, time DESC, name, batch, next_oid) WHERE name >= 'refs/heads/' AND name < 'refs/heads0';
