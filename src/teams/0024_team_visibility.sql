-- Who may know of a team: its members and the organization's owners, all members of the organization, or everybody signed in.
ALTER TABLE team ADD COLUMN visibility TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('public', 'limited', 'private'));
