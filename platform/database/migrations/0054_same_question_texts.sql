-- live: yes, the index is built beside running calls; nodes of before compare texts without one until the deploy ends
DROP INDEX CONCURRENTLY IF EXISTS "assessment_items_text";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "assessment_items_text" ON "assessment_items" USING btree (md5(translate(lower(question), E' \t\r\n\u00a0', '')));
