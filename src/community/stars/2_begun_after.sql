-- Which parting of the person from an owner (blocks/2_partings.sql) was the last before they gave it.
ALTER TABLE star ADD COLUMN begun_after INTEGER NOT NULL DEFAULT 0;
