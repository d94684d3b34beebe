-- Deleted comments, labels and milestones were kept as JSON in `deleted_row`, and so were the rows that referred to them. They become rows again:
-- here, because all tables that they belong to exist by now. A deletion or a restoration may have been stopped halfway, then some of the rows are
-- still in their tables. Rows that belong to something that no longer exists stay away. What was to be purged (`deleted_at` 0) does, too.
CREATE INDEX deleted_row_kind ON deleted_row (table_name, step);

INSERT OR IGNORE INTO label (id, repo_id, org_id, name, description, color, is_exclusive, archived_at, created_at, updated_at, deleted_at, deleted_by)
SELECT d.row_id, d.repo_id, d.org_id, json_extract(r.content, '$.name'), json_extract(r.content, '$.description'), json_extract(r.content, '$.color'),
  json_extract(r.content, '$.is_exclusive'), json_extract(r.content, '$.archived_at'), json_extract(r.content, '$.created_at'),
  json_extract(r.content, '$.updated_at'), d.deleted_at, (SELECT id FROM user WHERE id = d.deleted_by)
FROM deletion AS d JOIN deleted_row AS r ON r.deletion_id = d.id AND r.step = 0 AND r.table_name = 'label' AND r.emptied IS NULL
WHERE d.table_name = 'label' AND d.deleted_at > 0 AND r.row_id = d.row_id
  AND (d.repo_id IS NULL OR EXISTS (SELECT 1 FROM repository WHERE id = d.repo_id))
  AND (d.org_id IS NULL OR EXISTS (SELECT 1 FROM user WHERE id = d.org_id));

INSERT OR IGNORE INTO milestone (id, repo_id, title, description, due_at, closed_at, created_at, updated_at, deleted_at, deleted_by)
SELECT d.row_id, d.repo_id, json_extract(r.content, '$.title'), json_extract(r.content, '$.description'), json_extract(r.content, '$.due_at'),
  json_extract(r.content, '$.closed_at'), json_extract(r.content, '$.created_at'), json_extract(r.content, '$.updated_at'), d.deleted_at,
  (SELECT id FROM user WHERE id = d.deleted_by)
FROM deletion AS d JOIN deleted_row AS r ON r.deletion_id = d.id AND r.step = 0 AND r.table_name = 'milestone' AND r.emptied IS NULL
WHERE d.table_name = 'milestone' AND d.deleted_at > 0 AND r.row_id = d.row_id AND EXISTS (SELECT 1 FROM repository WHERE id = d.repo_id);

-- Deleted comments, and live timeline events about a deleted label or comment.
CREATE VIEW kept_comment AS
SELECT r.row_id AS id, r.issue_id, i.repo_id, json_extract(r.content, '$.type') AS type,
  (SELECT id FROM user WHERE id = json_extract(r.content, '$.poster_id')) AS poster_id, json_extract(r.content, '$.body') AS body,
  json_extract(r.content, '$.content_version') AS content_version, json_extract(r.content, '$.label_id') AS label_id,
  (SELECT id FROM milestone WHERE id = json_extract(r.content, '$.milestone_id')) AS milestone_id,
  (SELECT id FROM milestone WHERE id = json_extract(r.content, '$.old_milestone_id')) AS old_milestone_id,
  (SELECT id FROM user WHERE id = json_extract(r.content, '$.assignee_id')) AS assignee_id, json_extract(r.content, '$.is_removal') AS is_removal,
  json_extract(r.content, '$.old_text') AS old_text, json_extract(r.content, '$.new_text') AS new_text,
  json_extract(r.content, '$.dependent_issue_id') AS dependent_issue_id, json_extract(r.content, '$.ref_issue_id') AS ref_issue_id,
  json_extract(r.content, '$.ref_comment_id') AS ref_comment_id, json_extract(r.content, '$.ref_action') AS ref_action,
  json_extract(r.content, '$.commit_oid') AS commit_oid, json_extract(r.content, '$.time_id') AS time_id,
  json_extract(r.content, '$.ref_repo_id') AS ref_repo_id, (SELECT id FROM review WHERE id = json_extract(r.content, '$.review_id')) AS review_id,
  (SELECT id FROM team WHERE id = json_extract(r.content, '$.assignee_team_id')) AS assignee_team_id,
  json_extract(r.content, '$.created_at') AS created_at, json_extract(r.content, '$.updated_at') AS updated_at,
  iif(r.step = 0, d.deleted_at, NULL) AS deleted_at, iif(r.step = 0, (SELECT id FROM user WHERE id = d.deleted_by), NULL) AS deleted_by
FROM deleted_row AS r JOIN deletion AS d ON d.id = r.deletion_id JOIN issue AS i ON i.id = r.issue_id
WHERE r.table_name = 'comment' AND r.emptied IS NULL AND d.deleted_at > 0
  AND (r.step > 0 OR d.author_id IS NULL OR EXISTS (SELECT 1 FROM user WHERE id = d.author_id))
  AND EXISTS (SELECT 1 FROM repository WHERE id = i.repo_id);

INSERT OR IGNORE INTO comment (id, issue_id, repo_id, type, poster_id, body, content_version, label_id, milestone_id, old_milestone_id, assignee_id,
  is_removal, old_text, new_text, dependent_issue_id, ref_issue_id, ref_comment_id, ref_action, commit_oid, time_id, ref_repo_id, review_id,
  assignee_team_id, created_at, updated_at, deleted_at, deleted_by)
SELECT id, issue_id, repo_id, type, poster_id, body, content_version, label_id, milestone_id, old_milestone_id, assignee_id,
  is_removal, old_text, new_text, dependent_issue_id, ref_issue_id, ref_comment_id, ref_action, commit_oid, time_id, ref_repo_id, review_id,
  assignee_team_id, created_at, updated_at, deleted_at, deleted_by
FROM kept_comment AS k
WHERE ref_comment_id IS NULL
  AND (label_id IS NULL OR EXISTS (SELECT 1 FROM label WHERE label.id = k.label_id))
  AND (dependent_issue_id IS NULL OR EXISTS (SELECT 1 FROM issue WHERE issue.id = k.dependent_issue_id))
  AND (ref_issue_id IS NULL OR EXISTS (SELECT 1 FROM issue WHERE issue.id = k.ref_issue_id))
ORDER BY id;
-- Events about a comment come after it.
INSERT OR IGNORE INTO comment (id, issue_id, repo_id, type, poster_id, body, content_version, label_id, milestone_id, old_milestone_id, assignee_id,
  is_removal, old_text, new_text, dependent_issue_id, ref_issue_id, ref_comment_id, ref_action, commit_oid, time_id, ref_repo_id, review_id,
  assignee_team_id, created_at, updated_at, deleted_at, deleted_by)
SELECT id, issue_id, repo_id, type, poster_id, body, content_version, label_id, milestone_id, old_milestone_id, assignee_id,
  is_removal, old_text, new_text, dependent_issue_id, ref_issue_id, ref_comment_id, ref_action, commit_oid, time_id, ref_repo_id, review_id,
  assignee_team_id, created_at, updated_at, deleted_at, deleted_by
FROM kept_comment AS k
WHERE EXISTS (SELECT 1 FROM comment WHERE comment.id = k.ref_comment_id)
  AND (label_id IS NULL OR EXISTS (SELECT 1 FROM label WHERE label.id = k.label_id))
  AND (dependent_issue_id IS NULL OR EXISTS (SELECT 1 FROM issue WHERE issue.id = k.dependent_issue_id))
  AND (ref_issue_id IS NULL OR EXISTS (SELECT 1 FROM issue WHERE issue.id = k.ref_issue_id))
ORDER BY id;
DROP VIEW kept_comment;

UPDATE issue SET deleted_comment_count = (SELECT count(*) FROM comment WHERE comment.issue_id = issue.id AND comment.deleted_at IS NOT NULL)
WHERE deleted_comment_count <> 0 OR id IN (SELECT issue_id FROM comment WHERE deleted_at IS NOT NULL);

INSERT OR IGNORE INTO issue_label (issue_id, label_id)
SELECT r.issue_id, json_extract(r.content, '$.label_id') FROM deleted_row AS r
WHERE r.table_name = 'issue_label' AND r.emptied IS NULL AND EXISTS (SELECT 1 FROM issue WHERE id = r.issue_id)
  AND EXISTS (SELECT 1 FROM label WHERE id = json_extract(r.content, '$.label_id'));

INSERT OR IGNORE INTO content_history (id, issue_id, comment_id, editor_id, body, created_at)
SELECT r.row_id, r.issue_id, json_extract(r.content, '$.comment_id'), (SELECT id FROM user WHERE id = json_extract(r.content, '$.editor_id')),
  json_extract(r.content, '$.body'), json_extract(r.content, '$.created_at')
FROM deleted_row AS r
WHERE r.table_name = 'content_history' AND r.emptied IS NULL AND EXISTS (SELECT 1 FROM issue WHERE id = r.issue_id)
  AND EXISTS (SELECT 1 FROM comment WHERE id = json_extract(r.content, '$.comment_id'));

INSERT OR IGNORE INTO attachment (id, uuid, repo_id, issue_id, comment_id, uploader_id, name, size, digest, download_count, created_at)
SELECT r.row_id, json_extract(r.content, '$.uuid'), i.repo_id, r.issue_id, json_extract(r.content, '$.comment_id'),
  (SELECT id FROM user WHERE id = json_extract(r.content, '$.uploader_id')), json_extract(r.content, '$.name'), json_extract(r.content, '$.size'),
  json_extract(r.content, '$.digest'), json_extract(r.content, '$.download_count'), json_extract(r.content, '$.created_at')
FROM deleted_row AS r JOIN issue AS i ON i.id = r.issue_id
WHERE r.table_name = 'attachment' AND r.emptied IS NULL AND EXISTS (SELECT 1 FROM blob WHERE digest = json_extract(r.content, '$.digest'))
  AND EXISTS (SELECT 1 FROM comment WHERE id = json_extract(r.content, '$.comment_id'));

INSERT OR IGNORE INTO reaction (id, issue_id, comment_id, user_id, content, created_at)
SELECT r.row_id, r.issue_id, json_extract(r.content, '$.comment_id'), json_extract(r.content, '$.user_id'), json_extract(r.content, '$.content'),
  json_extract(r.content, '$.created_at')
FROM deleted_row AS r
WHERE r.table_name = 'reaction' AND r.emptied IS NULL AND EXISTS (SELECT 1 FROM issue WHERE id = r.issue_id)
  AND EXISTS (SELECT 1 FROM comment WHERE id = json_extract(r.content, '$.comment_id'))
  AND EXISTS (SELECT 1 FROM user WHERE id = json_extract(r.content, '$.user_id'));

-- The trigger `review_comment_restored` has the places of these comments looked up anew: nobody followed them while they were deleted.
INSERT OR IGNORE INTO review_comment (comment_id, issue_id, path, line, at_oid, original_oid, hunk, is_outdated, resolver_id)
SELECT json_extract(r.content, '$.comment_id'), r.issue_id, json_extract(r.content, '$.path'), json_extract(r.content, '$.line'),
  json_extract(r.content, '$.at_oid'), json_extract(r.content, '$.original_oid'), json_extract(r.content, '$.hunk'),
  json_extract(r.content, '$.is_outdated'), (SELECT id FROM user WHERE id = json_extract(r.content, '$.resolver_id'))
FROM deleted_row AS r
WHERE r.table_name = 'review_comment' AND r.emptied IS NULL AND EXISTS (SELECT 1 FROM issue WHERE id = r.issue_id)
  AND EXISTS (SELECT 1 FROM comment WHERE id = json_extract(r.content, '$.comment_id'));

-- Rows that stayed, but no longer named what was deleted. Those that name something else by now keep it; of several deletions the last counts.
UPDATE issue SET milestone_id =
  (SELECT d.row_id FROM deleted_row AS r JOIN deletion AS d ON d.id = r.deletion_id JOIN milestone AS m ON m.id = d.row_id
   WHERE r.table_name = 'issue' AND r.emptied = 'milestone_id' AND r.row_id = issue.id AND d.table_name = 'milestone' ORDER BY d.id DESC LIMIT 1)
WHERE milestone_id IS NULL AND id IN (SELECT row_id FROM deleted_row WHERE table_name = 'issue' AND emptied = 'milestone_id');
UPDATE comment SET milestone_id =
  (SELECT d.row_id FROM deleted_row AS r JOIN deletion AS d ON d.id = r.deletion_id JOIN milestone AS m ON m.id = d.row_id
   WHERE r.table_name = 'comment' AND r.emptied = 'milestone_id' AND r.row_id = comment.id AND d.table_name = 'milestone' ORDER BY d.id DESC LIMIT 1)
WHERE milestone_id IS NULL AND id IN (SELECT row_id FROM deleted_row WHERE table_name = 'comment' AND emptied = 'milestone_id');
UPDATE comment SET old_milestone_id =
  (SELECT d.row_id FROM deleted_row AS r JOIN deletion AS d ON d.id = r.deletion_id JOIN milestone AS m ON m.id = d.row_id
   WHERE r.table_name = 'comment' AND r.emptied = 'old_milestone_id' AND r.row_id = comment.id AND d.table_name = 'milestone' ORDER BY d.id DESC LIMIT 1)
WHERE old_milestone_id IS NULL AND id IN (SELECT row_id FROM deleted_row WHERE table_name = 'comment' AND emptied = 'old_milestone_id');
UPDATE notification SET comment_id =
  (SELECT d.row_id FROM deleted_row AS r JOIN deletion AS d ON d.id = r.deletion_id JOIN comment AS c ON c.id = d.row_id
   WHERE r.table_name = 'notification' AND r.emptied = 'comment_id' AND r.row_id = notification.id AND d.table_name = 'comment' ORDER BY d.id DESC LIMIT 1)
WHERE comment_id IS NULL AND id IN (SELECT row_id FROM deleted_row WHERE table_name = 'notification' AND emptied = 'comment_id');

-- Some rows are gone for good, and the server was stopped before it had cleared all that referred to them.
DELETE FROM unsettled_row WHERE table_name = 'label' AND row_id IN (SELECT id FROM label)
  OR table_name = 'milestone' AND row_id IN (SELECT id FROM milestone) OR table_name = 'comment' AND row_id IN (SELECT id FROM comment);
DELETE FROM issue_label WHERE label_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'label');
DELETE FROM comment WHERE label_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'label');
UPDATE issue SET milestone_id = NULL WHERE milestone_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'milestone');
UPDATE comment SET milestone_id = NULL WHERE milestone_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'milestone');
UPDATE comment SET old_milestone_id = NULL WHERE old_milestone_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'milestone');
DELETE FROM content_history WHERE comment_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'comment');
DELETE FROM attachment WHERE comment_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'comment');
DELETE FROM reaction WHERE comment_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'comment');
DELETE FROM review_comment WHERE comment_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'comment');
DELETE FROM comment WHERE ref_comment_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'comment');
UPDATE notification SET comment_id = NULL WHERE comment_id IN (SELECT row_id FROM unsettled_row WHERE table_name = 'comment');

DROP TRIGGER issue_deletions_removed;
DROP TRIGGER issue_deletions_moved;
DROP TRIGGER review_comment_restored;
-- A label or milestone is made before anything refers to it.
DROP TRIGGER label_counted;
DROP TRIGGER milestone_counted;
-- Its trigger gives the files free that nothing else uses.
DELETE FROM deleted_row_file;
DROP TABLE deleted_row_file;
DROP TABLE unsettled_row;
DROP TABLE deleted_row;
DROP TABLE deletion;
DROP TABLE issue_gone_with_deletions;
