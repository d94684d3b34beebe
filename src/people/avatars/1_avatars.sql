-- The name of an uploaded picture's file, which is also the end of its address; empty: there is none.
ALTER TABLE user ADD COLUMN avatar TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX user_avatar ON user (avatar) WHERE avatar <> '';
