-- Lists of people are put in order, and looked through for a word, without a look at their rows.
CREATE INDEX user_list ON user (kind, lower_name, visibility, full_name, hide_email, email);
