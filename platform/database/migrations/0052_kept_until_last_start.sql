-- live: yes, the index is built beside running calls
DROP INDEX CONCURRENTLY IF EXISTS "attempts_started";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "attempts_started" ON "attempts" USING btree ("assessment","started_at") WHERE not "attempts"."is_demo";
