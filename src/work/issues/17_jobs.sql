-- Jobs move comments of moved issues, and remove labels of previous owners.
INSERT OR REPLACE INTO job (kind, key, args, cursor, created_at)
  SELECT 'issues.moveComments', issue_id || '/' || from_repo_id, json_object('issueId', issue_id, 'fromRepoId', from_repo_id),
    json_array(looked_at, looked_to), CAST(strftime('%s', 'now') AS INTEGER) FROM moved_issue ORDER BY id;
INSERT INTO job (kind, key, args, cursor, created_at)
  SELECT 'issues.removeForeignLabels', id, json_object('repoId', id), CAST(looked_to AS TEXT), CAST(strftime('%s', 'now') AS INTEGER) FROM handed_over_repository ORDER BY id;
DROP TRIGGER moved_issue_left_gone;
CREATE TRIGGER moved_issue_left_gone BEFORE DELETE ON repository WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'issues.moveComments') BEGIN
  UPDATE comment SET repo_id = (SELECT repo_id FROM issue WHERE issue.id = issue_id)
    WHERE issue_id IN (SELECT json_extract(args, '$.issueId') FROM job WHERE kind = 'issues.moveComments' AND json_extract(args, '$.fromRepoId') = OLD.id)
      AND repo_id = OLD.id AND EXISTS (SELECT 1 FROM issue WHERE issue.id = issue_id);
  UPDATE attachment SET repo_id = (SELECT repo_id FROM issue WHERE issue.id = issue_id)
    WHERE issue_id IN (SELECT json_extract(args, '$.issueId') FROM job WHERE kind = 'issues.moveComments' AND json_extract(args, '$.fromRepoId') = OLD.id)
      AND repo_id = OLD.id AND EXISTS (SELECT 1 FROM issue WHERE issue.id = issue_id);
END;
DROP TRIGGER moved_issue_left_given;
CREATE TRIGGER moved_issue_left_given BEFORE UPDATE OF owner_id ON repository WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'issues.moveComments') BEGIN
  UPDATE comment SET repo_id = (SELECT repo_id FROM issue WHERE issue.id = issue_id)
    WHERE issue_id IN (SELECT json_extract(args, '$.issueId') FROM job WHERE kind = 'issues.moveComments' AND json_extract(args, '$.fromRepoId') = OLD.id)
      AND repo_id = OLD.id AND EXISTS (SELECT 1 FROM issue WHERE issue.id = issue_id);
END;
DROP TRIGGER repository_handed_over;
DROP TABLE moved_issue;
DROP TABLE handed_over_repository;
