-- Whether accounts that are not activated get it too: it tells them how to be.
ALTER TABLE mail ADD COLUMN is_for_inactive INTEGER NOT NULL DEFAULT 0;
