-- What lists by label and by assignee are ordered and narrowed by stands beside those, so that a page is read from an index. Derived:
-- triggers keep it.
ALTER TABLE issue_label ADD COLUMN repo_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE issue_label ADD COLUMN is_closed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE issue_label ADD COLUMN is_pull INTEGER NOT NULL DEFAULT 0;
ALTER TABLE issue_label ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
UPDATE issue_label SET (repo_id, is_closed, is_pull, created_at) = (SELECT repo_id, is_closed, is_pull, created_at FROM issue WHERE issue.id = issue_id);
CREATE INDEX issue_label_list ON issue_label (label_id, repo_id, is_closed, created_at, issue_id, is_pull);
CREATE TRIGGER issue_label_placed AFTER INSERT ON issue_label BEGIN
  UPDATE issue_label SET (repo_id, is_closed, is_pull, created_at) = (SELECT repo_id, is_closed, is_pull, created_at FROM issue WHERE issue.id = NEW.issue_id)
  WHERE issue_id = NEW.issue_id AND label_id = NEW.label_id;
END;
CREATE TRIGGER issue_label_follows AFTER UPDATE OF repo_id, is_closed ON issue BEGIN
  UPDATE issue_label SET repo_id = NEW.repo_id, is_closed = NEW.is_closed WHERE issue_id = NEW.id;
END;

ALTER TABLE issue_assignee ADD COLUMN repo_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE issue_assignee ADD COLUMN is_closed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE issue_assignee ADD COLUMN is_pull INTEGER NOT NULL DEFAULT 0;
ALTER TABLE issue_assignee ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
UPDATE issue_assignee SET (repo_id, is_closed, is_pull, created_at) = (SELECT repo_id, is_closed, is_pull, created_at FROM issue WHERE issue.id = issue_id);
CREATE INDEX issue_assignee_list ON issue_assignee (user_id, repo_id, is_closed, created_at, issue_id, is_pull);
CREATE TRIGGER issue_assignee_placed AFTER INSERT ON issue_assignee BEGIN
  UPDATE issue_assignee SET (repo_id, is_closed, is_pull, created_at) = (SELECT repo_id, is_closed, is_pull, created_at FROM issue WHERE issue.id = NEW.issue_id)
  WHERE issue_id = NEW.issue_id AND user_id = NEW.user_id;
END;
CREATE TRIGGER issue_assignee_follows AFTER UPDATE OF repo_id, is_closed ON issue BEGIN
  UPDATE issue_assignee SET repo_id = NEW.repo_id, is_closed = NEW.is_closed WHERE issue_id = NEW.id;
END;
