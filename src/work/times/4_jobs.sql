-- Jobs clear times that were taken back; until they have, the view leaves those out.
INSERT OR REPLACE INTO job (kind, key, args, created_at)
  SELECT 'times.clear', issue_id || '/' || user_id, json_object('issueId', issue_id, 'userId', user_id, 'until', last_time_id), CAST(strftime('%s', 'now') AS INTEGER)
  FROM time_reset ORDER BY id;
DROP VIEW standing_time;
CREATE VIEW standing_time AS SELECT id, issue_id, user_id, seconds, created_at FROM tracked_time AS t
  WHERE NOT EXISTS (SELECT 1 FROM job WHERE kind = 'times.clear') OR NOT EXISTS (
    SELECT 1 FROM job WHERE kind = 'times.clear' AND key = t.issue_id || '/' || t.user_id AND t.id <= json_extract(args, '$.until'));
DROP TABLE time_reset;
