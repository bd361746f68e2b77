-- live: yes, adds a column of sessions that may be empty
ALTER TABLE "sessions" ADD COLUMN "keys_at" timestamp with time zone;