-- Which version of the program found it with nothing left out: what comes after it is found by what differs, as long as the rules are the same.
-- Empty: the next one is looked at as a whole.
ALTER TABLE derived_survey ADD COLUMN counted_by TEXT NOT NULL DEFAULT '';
