-- A deleted comment keeps its row, and all that refers to it, until it is restored or purged. NULL: the comment is live. Unix seconds.
ALTER TABLE comment ADD COLUMN deleted_at INTEGER;
ALTER TABLE comment ADD COLUMN deleted_by INTEGER REFERENCES user (id) ON DELETE SET NULL;
CREATE VIEW live_comment AS SELECT * FROM comment WHERE deleted_at IS NULL;
CREATE INDEX comment_deleted ON comment (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX comment_deleted_on ON comment (issue_id, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX comment_deleter ON comment (deleted_by) WHERE deleted_by IS NOT NULL;

DROP INDEX comment_written;
DROP INDEX comment_repo;
DROP INDEX comment_repo_updated;
DROP INDEX comment_participant;
DROP INDEX comment_entry;
DROP INDEX comment_commenter;
-- Those that are read without the rows have `deleted_at`, although it is NULL there: else SQLite would look at each row for it.
CREATE INDEX comment_written ON comment (issue_id, created_at, id, poster_id, deleted_at) WHERE type = 'comment' AND deleted_at IS NULL;
CREATE INDEX comment_repo ON comment (repo_id, created_at, id, deleted_at) WHERE type = 'comment' AND deleted_at IS NULL;
CREATE INDEX comment_repo_updated ON comment (repo_id, updated_at, deleted_at) WHERE type = 'comment' AND deleted_at IS NULL;
CREATE INDEX comment_participant ON comment (issue_id, poster_id, deleted_at) WHERE type IN ('comment', 'code', 'review') AND deleted_at IS NULL;
CREATE INDEX comment_entry ON comment (issue_id, created_at, id) WHERE type NOT IN ('code', 'code_draft') AND deleted_at IS NULL;
CREATE INDEX comment_commenter ON comment (poster_id, issue_id, deleted_at) WHERE type IN ('comment', 'code', 'review') AND deleted_at IS NULL;

-- Only live comments are counted and searched. The server indexes a restored comment: the index holds texts as `search-words.ts` writes them.
DROP TRIGGER comment_added;
DROP TRIGGER comment_removed;
CREATE TRIGGER comment_added AFTER INSERT ON comment WHEN NEW.type = 'comment' AND NEW.deleted_at IS NULL BEGIN
  UPDATE issue SET comment_count = comment_count + 1 WHERE id = NEW.issue_id;
END;
CREATE TRIGGER comment_removed AFTER DELETE ON comment WHEN OLD.type = 'comment' AND OLD.deleted_at IS NULL BEGIN
  UPDATE issue SET comment_count = comment_count - 1 WHERE id = OLD.issue_id;
END;
CREATE TRIGGER comment_deleted AFTER UPDATE OF deleted_at ON comment WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  UPDATE issue SET comment_count = comment_count - (NEW.type = 'comment'), deleted_comment_count = deleted_comment_count + 1 WHERE id = NEW.issue_id;
END;
CREATE TRIGGER comment_restored AFTER UPDATE OF deleted_at ON comment WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  UPDATE issue SET comment_count = comment_count + (NEW.type = 'comment'), deleted_comment_count = deleted_comment_count - 1 WHERE id = NEW.issue_id;
END;
CREATE TRIGGER comment_purged AFTER DELETE ON comment WHEN OLD.deleted_at IS NOT NULL BEGIN
  UPDATE issue SET deleted_comment_count = deleted_comment_count - 1 WHERE id = OLD.issue_id;
END;
CREATE TRIGGER comment_deleted_unsearched AFTER UPDATE OF deleted_at ON comment WHEN NEW.type = 'comment' AND NEW.deleted_at IS NOT NULL BEGIN
  DELETE FROM comment_search WHERE rowid = NEW.id;
END;

-- The words of a live comment outlast the account of its author, those of a deleted comment do not.
CREATE TRIGGER comment_author_deleted AFTER UPDATE OF poster_id ON comment
WHEN OLD.poster_id IS NOT NULL AND NEW.poster_id IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  DELETE FROM comment WHERE id = NEW.id;
END;
