-- How many activities of the event after the last are made: those of a push of many refs are not all made at once.
ALTER TABLE activity_place ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
