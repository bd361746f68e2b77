-- live: yes, the index is built beside running calls
DROP INDEX CONCURRENTLY IF EXISTS "assessment_items_text";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assessment_items_text" ON "assessment_items" USING btree (md5("question"));
