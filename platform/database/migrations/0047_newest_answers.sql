-- live: yes, an index is built beside what goes on
DROP INDEX CONCURRENTLY IF EXISTS "answered_questions_time";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "answered_questions_time" ON "answered_questions" USING btree ("user_id","answered_at");
