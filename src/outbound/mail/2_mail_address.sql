-- An address of the account's that is not its primary one; null: that one, as it is when the mail is sent.
ALTER TABLE mail ADD COLUMN sent_to TEXT;
