-- live: yes, the index is built beside what goes on
DROP INDEX CONCURRENTLY IF EXISTS "attempt_events_of_pages";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "attempt_events_of_pages" ON "attempt_events" USING btree ("attempt_id","at_ms") WHERE "attempt_events"."number" is not null;
