-- live: no, because an index of all results is built while nobody can finish a test
ALTER TABLE "questions" ADD COLUMN "usual_ms" integer;--> statement-breakpoint
ALTER TABLE "test_results" ADD COLUMN "has_facts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "test_results_without_facts" ON "test_results" USING btree ("user_id") WHERE not "test_results"."has_facts";