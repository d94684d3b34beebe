-- What the default branch of each repository is written in, and under which licences. Derived, all of it: with the tables emptied and every
-- repository put into `survey_due`, it is made again.
CREATE TABLE derived_language (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (repo_id, name)
) STRICT, WITHOUT ROWID;

-- Which commit that was found in.
CREATE TABLE derived_survey (
  repo_id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
  oid TEXT NOT NULL
) STRICT;

-- Repositories of which refs have changed since they were looked at.
CREATE TABLE survey_due (
  repo_id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE
) STRICT;
INSERT INTO survey_due (repo_id) SELECT id FROM repository;
-- What a statement does on conflict holds for the triggers that it sets off: these must meet none.
CREATE TRIGGER survey_of_new_refs AFTER INSERT ON ref_state WHEN NEW.version > 0 BEGIN
  INSERT INTO survey_due (repo_id) SELECT id FROM repository WHERE id = NEW.repo_id AND id NOT IN (SELECT repo_id FROM survey_due);
END;
CREATE TRIGGER survey_of_moved_refs AFTER UPDATE OF version ON ref_state WHEN OLD.version <> NEW.version BEGIN
  INSERT INTO survey_due (repo_id) SELECT id FROM repository WHERE id = NEW.repo_id AND id NOT IN (SELECT repo_id FROM survey_due);
END;
CREATE TRIGGER survey_of_default_branch AFTER UPDATE OF default_branch ON repository WHEN OLD.default_branch <> NEW.default_branch BEGIN
  INSERT INTO survey_due (repo_id) SELECT NEW.id WHERE NEW.id NOT IN (SELECT repo_id FROM survey_due);
END;

-- The language with the most bytes, and SPDX identifiers joined by commas; both empty where there are none.
ALTER TABLE repository ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE repository ADD COLUMN license_ids TEXT NOT NULL DEFAULT '';
