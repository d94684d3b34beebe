-- The event that an activity was made of; 0 where that is not known any more.
ALTER TABLE activity ADD COLUMN event_id INTEGER NOT NULL DEFAULT 0;

-- The last event before a private repository became public: whoever saw nothing of it then is told nothing of that time.
CREATE TABLE activity_published (
  repo_id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL
) STRICT;
CREATE TRIGGER activity_published AFTER UPDATE OF is_private ON repository WHEN old.is_private = 1 AND new.is_private = 0 BEGIN
  INSERT OR REPLACE INTO activity_published (repo_id, event_id)
    SELECT new.id, max(activity_place.event_id, coalesce((SELECT max(id) FROM event), 0)) FROM activity_place;
END;
