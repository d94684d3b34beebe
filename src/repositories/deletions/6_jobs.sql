-- Jobs replace the table of deleted rows.
INSERT INTO job (kind, key, args, created_at)
  SELECT 'kernel.clearReferences', table_name || '/' || row_id, json_object('table', table_name, 'id', row_id), CAST(strftime('%s', 'now') AS INTEGER) FROM gone_row ORDER BY id;
DROP TABLE gone_row;
