-- Issues that are gone, and what was deleted on them is not yet: it follows some at a time, for it may be very much.
CREATE TABLE issue_gone_with_deletions (
  id INTEGER PRIMARY KEY
) STRICT;
