-- live: yes, adds the table assessment_deletions
CREATE TABLE "assessment_deletions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"requested_by" uuid,
	"requested_by_name" text NOT NULL,
	"is_alone" boolean NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"done_by_name" text,
	"candidate_count" integer,
	"sat_count" integer
);
--> statement-breakpoint
ALTER TABLE "assessment_deletions" ADD CONSTRAINT "assessment_deletions_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assessment_deletions" ADD CONSTRAINT "assessment_deletions_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "assessment_deletions_open" ON "assessment_deletions" USING btree ("assessment") WHERE "assessment_deletions"."withdrawn_at" is null and "assessment_deletions"."done_at" is null;--> statement-breakpoint
CREATE INDEX "assessment_deletions_assessment" ON "assessment_deletions" USING btree ("assessment");--> statement-breakpoint
CREATE INDEX "assessment_deletions_user" ON "assessment_deletions" USING btree ("requested_by");