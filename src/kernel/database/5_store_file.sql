-- Which file the database was when a server last opened it, by its number on the disk: a copy is another one. NULL: never since this is noted.
ALTER TABLE store_state ADD COLUMN file TEXT;
