-- The source of sign-in that a key came from: it goes when its person has it there no more. 0: its holder's own doing.
ALTER TABLE public_key ADD COLUMN source_id INTEGER NOT NULL DEFAULT 0;
