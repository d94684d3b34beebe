-- The last event whose commits were looked at. One row.
CREATE TABLE commit_reference_place (
  event_id INTEGER NOT NULL
) STRICT;
INSERT INTO commit_reference_place (event_id) SELECT coalesce(max(id), 0) FROM event;
