-- Jobs delete tracked times that were reset. Until then, the view hides them.
INSERT OR REPLACE INTO job (kind, key, args, created_at)
  SELECT 'times.deleteReset', issue_id || '/' || user_id, json_object('issueId', issue_id, 'userId', user_id, 'until', last_time_id), CAST(strftime('%s', 'now') AS INTEGER)
  FROM time_reset ORDER BY id;
DROP VIEW standing_time;
CREATE VIEW standing_time AS SELECT id, issue_id, user_id, seconds, created_at FROM tracked_time AS t
  WHERE NOT EXISTS (SELECT 1 FROM job WHERE kind = 'times.deleteReset') OR NOT EXISTS (
    SELECT 1 FROM job WHERE kind = 'times.deleteReset' AND key = t.issue_id || '/' || t.user_id AND t.id <= json_extract(args, '$.until'));
DROP TABLE time_reset;
