-- live: yes, adds a table that the version before does not read
CREATE TABLE "ranking_exclusions" (
	"candidate_id" uuid PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"excluded_by" text NOT NULL,
	"excluded_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ranking_exclusions" ADD CONSTRAINT "ranking_exclusions_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;
