-- An issue is in another repository now. What was said on it may be very much and follows some at a time; whoever looks for it asks where the
-- issue is, not where its comments were.
CREATE TABLE moved_issue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  from_repo_id INTEGER NOT NULL,
  -- Up to this entry, in the order of the timeline, all have followed.
  looked_at INTEGER NOT NULL DEFAULT -1,
  looked_to INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX moved_issue_issue ON moved_issue (issue_id);
CREATE INDEX moved_issue_from ON moved_issue (from_repo_id);

-- Whatever becomes of the repository that it has left, what is still to follow does not go that way.
CREATE TRIGGER moved_issue_left_gone BEFORE DELETE ON repository WHEN EXISTS (SELECT 1 FROM moved_issue WHERE from_repo_id = OLD.id) BEGIN
  UPDATE comment SET repo_id = (SELECT repo_id FROM issue WHERE issue.id = issue_id)
    WHERE issue_id IN (SELECT issue_id FROM moved_issue WHERE from_repo_id = OLD.id) AND repo_id = OLD.id;
  UPDATE attachment SET repo_id = (SELECT repo_id FROM issue WHERE issue.id = issue_id)
    WHERE issue_id IN (SELECT issue_id FROM moved_issue WHERE from_repo_id = OLD.id) AND repo_id = OLD.id;
END;
CREATE TRIGGER moved_issue_left_given BEFORE UPDATE OF owner_id ON repository WHEN EXISTS (SELECT 1 FROM moved_issue WHERE from_repo_id = OLD.id) BEGIN
  UPDATE comment SET repo_id = (SELECT repo_id FROM issue WHERE issue.id = issue_id)
    WHERE issue_id IN (SELECT issue_id FROM moved_issue WHERE from_repo_id = OLD.id) AND repo_id = OLD.id;
END;
