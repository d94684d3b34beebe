-- A deleted milestone keeps its row, and all that refers to it, until it is restored or purged. NULL: the milestone is live. Unix seconds.
ALTER TABLE milestone ADD COLUMN deleted_at INTEGER;
ALTER TABLE milestone ADD COLUMN deleted_by INTEGER REFERENCES user (id) ON DELETE SET NULL;
CREATE VIEW live_milestone AS SELECT * FROM milestone WHERE deleted_at IS NULL;
CREATE INDEX milestone_deleted ON milestone (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX milestone_deleter ON milestone (deleted_by) WHERE deleted_by IS NOT NULL;

DROP INDEX milestone_repo;
DROP INDEX milestone_title;
CREATE INDEX milestone_repo ON milestone (repo_id, deleted_at, due_at, title);
CREATE INDEX milestone_title ON milestone (lower(title), deleted_at) WHERE deleted_at IS NULL;
