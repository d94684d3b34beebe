-- A deleted label keeps its row, and all that refers to it, until it is restored or purged. NULL: the label is live. Unix seconds.
ALTER TABLE label ADD COLUMN deleted_at INTEGER;
ALTER TABLE label ADD COLUMN deleted_by INTEGER REFERENCES user (id) ON DELETE SET NULL;
CREATE VIEW live_label AS SELECT * FROM label WHERE deleted_at IS NULL;
CREATE INDEX label_deleted ON label (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX label_deleter ON label (deleted_by) WHERE deleted_by IS NOT NULL;

DROP INDEX label_repo;
DROP INDEX label_org;
DROP INDEX label_name;
CREATE INDEX label_repo ON label (repo_id, deleted_at, name);
CREATE INDEX label_org ON label (org_id, deleted_at, name);
CREATE INDEX label_name ON label (name, deleted_at) WHERE deleted_at IS NULL;
