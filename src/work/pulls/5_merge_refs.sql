-- Whether refs/pull/N/merge is there. It is made when somebody fetches it, and goes with the first move of either end.
ALTER TABLE pull ADD COLUMN has_merge_ref INTEGER NOT NULL DEFAULT 0;
CREATE INDEX pull_merge_ref ON pull (repo_id, base_branch) WHERE has_merge_ref = 1;
