-- The head that a pull request was opened with, its first version; NULL for older ones that had moved on without force before this was kept.
ALTER TABLE pull ADD COLUMN first_oid TEXT;
UPDATE pull SET first_oid = ifnull(
  (SELECT CASE WHEN json_extract(body, '$.is_force_push') THEN json_extract(body, '$.commit_ids[0]') ELSE '' END
   FROM comment WHERE comment.issue_id = pull.issue_id AND type = 'pull_push' ORDER BY id LIMIT 1), head_oid);
UPDATE pull SET first_oid = NULL WHERE first_oid = '';
