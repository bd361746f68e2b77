-- live: yes, an index is built beside what goes on
-- What watches a test asks every two seconds for each candidate's few events among thousands.
DROP INDEX CONCURRENTLY IF EXISTS "attempt_events_rare";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "attempt_events_rare" ON "attempt_events" USING btree ("candidate_id") WHERE "attempt_events"."kind" in ('verified', 'started', 'taken_over', 'ready', 'reopened', 'late_answer', 'late_accepted');
