-- Of the event after that one all people up to this id have been told: of one event they may be very many.
ALTER TABLE notification_place ADD COLUMN told_to INTEGER NOT NULL DEFAULT 0;
