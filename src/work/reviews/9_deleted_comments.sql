-- Only live comments are counted. The place of a deleted comment is followed all the same, so that it is right when the comment is restored.
DROP TRIGGER review_comment_added;
DROP TRIGGER review_comment_removed;
CREATE TRIGGER review_comment_added AFTER INSERT ON comment WHEN NEW.type IN ('code', 'code_draft') AND NEW.deleted_at IS NULL BEGIN
  UPDATE review SET comment_count = comment_count + 1 WHERE id = NEW.review_id;
  UPDATE pull SET review_comment_count = review_comment_count + (NEW.type = 'code') WHERE issue_id = NEW.issue_id;
END;
CREATE TRIGGER review_comment_removed AFTER DELETE ON comment WHEN OLD.type IN ('code', 'code_draft') AND OLD.deleted_at IS NULL BEGIN
  UPDATE review SET comment_count = comment_count - 1 WHERE id = OLD.review_id;
  UPDATE pull SET review_comment_count = review_comment_count - (OLD.type = 'code') WHERE issue_id = OLD.issue_id;
END;
CREATE TRIGGER review_comment_deleted AFTER UPDATE OF deleted_at ON comment
WHEN NEW.type IN ('code', 'code_draft') AND OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  UPDATE review SET comment_count = comment_count - 1 WHERE id = NEW.review_id;
  UPDATE pull SET review_comment_count = review_comment_count - (NEW.type = 'code') WHERE issue_id = NEW.issue_id;
END;
CREATE TRIGGER review_comment_undeleted AFTER UPDATE OF deleted_at ON comment
WHEN NEW.type IN ('code', 'code_draft') AND OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
  UPDATE review SET comment_count = comment_count + 1 WHERE id = NEW.review_id;
  UPDATE pull SET review_comment_count = review_comment_count + (NEW.type = 'code') WHERE issue_id = NEW.issue_id;
END;

-- Comments go with their review. Those that were deleted before cannot be restored any more, and wait to be purged.
DROP TRIGGER review_removed;
CREATE TRIGGER review_removed BEFORE DELETE ON review BEGIN
  DELETE FROM comment WHERE review_id = OLD.id AND type IN ('code', 'code_draft', 'review', 'dismiss_review') AND deleted_at IS NULL;
END;
