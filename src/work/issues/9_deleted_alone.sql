-- An issue is deleted while what refers to it is left as it is: what was deleted on it goes with all that is kept of it.
DROP TRIGGER issue_deletions_removed;
CREATE TRIGGER issue_deletions_removed AFTER DELETE ON issue BEGIN
  DELETE FROM deleted_row_file WHERE deletion_id IN (SELECT id FROM deletion WHERE issue_id = OLD.id);
  DELETE FROM deleted_row WHERE deletion_id IN (SELECT id FROM deletion WHERE issue_id = OLD.id);
  DELETE FROM deletion WHERE issue_id = OLD.id;
  DELETE FROM deleted_row WHERE issue_id = OLD.id;
END;
-- What is gone from a segment of the index leaves it when it is merged for what is new. By default a tenth gone has all of the segment written
-- anew, in one go and over and over while very much is deleted a few rows at a time.
INSERT INTO issue_search (issue_search, rank) VALUES ('deletemerge', 0);
INSERT INTO comment_search (comment_search, rank) VALUES ('deletemerge', 0);
