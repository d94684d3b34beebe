-- Labels of an organization are for what it owns. Issues of a repository that changes hands lose those of others, and the timeline what it tells of
-- them, some issues at a time: they may be very many. Whoever reads asks for the owner's labels and the repository's own, and finds no others.
DROP TRIGGER issue_label_owner;
DROP TRIGGER label_deletions_left;

-- Up to this number its issues have been looked at.
CREATE TABLE handed_over_repository (
  id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
  looked_to INTEGER NOT NULL
) STRICT;
CREATE TRIGGER repository_handed_over AFTER UPDATE OF owner_id ON repository WHEN OLD.owner_id <> NEW.owner_id BEGIN
  INSERT OR REPLACE INTO handed_over_repository (id, looked_to) VALUES (NEW.id, 0);
END;
-- A label that comes back from its deletion does not come back to what has left its owner since.
CREATE TRIGGER issue_label_of_other AFTER INSERT ON issue_label WHEN (SELECT org_id FROM label WHERE id = NEW.label_id) <>
  (SELECT owner_id FROM issue JOIN repository ON repository.id = issue.repo_id WHERE issue.id = NEW.issue_id) BEGIN
  DELETE FROM issue_label WHERE issue_id = NEW.issue_id AND label_id = NEW.label_id;
END;
CREATE INDEX comment_labelled ON comment (issue_id, label_id) WHERE label_id IS NOT NULL;
