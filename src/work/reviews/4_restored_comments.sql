-- The changes may have gone on since a comment was deleted that is restored: where those of its pull request stand is looked up anew.
CREATE TRIGGER review_comment_restored AFTER INSERT ON review_comment
WHEN EXISTS (SELECT 1 FROM deletion WHERE issue_id = NEW.issue_id AND table_name = 'comment' AND row_id = NEW.comment_id) BEGIN
  DELETE FROM review_standing WHERE issue_id = NEW.issue_id;
END;
