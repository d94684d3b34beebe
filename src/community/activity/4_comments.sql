-- The comment or timeline event that an activity is about. The row may be gone: then the activity shows none.
ALTER TABLE activity ADD COLUMN comment_id INTEGER;
