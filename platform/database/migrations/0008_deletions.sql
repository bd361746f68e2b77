-- live: no, because an index of all users is built while nobody can sign up or in
ALTER TABLE "users" ADD COLUMN "deleting_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "users_deleting" ON "users" USING btree ("deleting_since") WHERE "users"."deleting_since" is not null;