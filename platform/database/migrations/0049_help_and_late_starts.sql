-- live: yes, indexes are built beside what goes on
DROP INDEX CONCURRENTLY IF EXISTS "attempt_events_help";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "attempt_events_help" ON "attempt_events" USING btree ("candidate_id") WHERE "attempt_events"."kind" in ('help', 'help_read');--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "candidates_starts_until";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "candidates_starts_until" ON "candidates" USING btree ("assessment","starts_until") WHERE "candidates"."starts_until" is not null;
