-- Derived: the committer date of what a ref points to, in seconds, where that is a commit. NULL where nobody has looked yet.
ALTER TABLE ref ADD COLUMN time INTEGER;
-- Branches, the newest first; with `batch`, so that those of earlier pages are passed over without a look at their rows.
CREATE INDEX ref_branch_time ON ref (repo_id, time DESC, name, batch) WHERE name >= 'refs/heads/' AND name < 'refs/heads0';
CREATE INDEX ref_branch_untimed ON ref (repo_id, name) WHERE time IS NULL AND name >= 'refs/heads/' AND name < 'refs/heads0';
