-- live: no, because indexes of candidates and mails are built anew while nobody can write a mail
CREATE TABLE "candidate_additions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credential_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"candidate_id" uuid NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"error" text,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"made_by" text NOT NULL,
	"password_hash" "bytea",
	CONSTRAINT "credential_mails_state" CHECK ("credential_mails"."state" in ('queued', 'sent', 'failed', 'stopped', 'unsure'))
);
--> statement-breakpoint
CREATE TABLE "credential_texts" (
	"assessment" text PRIMARY KEY NOT NULL,
	"paragraph" text NOT NULL,
	"version" integer NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "mails_open";--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "changed_by" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "priority" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "candidate_additions" ADD CONSTRAINT "candidate_additions_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credential_mails" ADD CONSTRAINT "credential_mails_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credential_texts" ADD CONSTRAINT "credential_texts_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "candidate_additions_assessment" ON "candidate_additions" USING btree ("assessment");--> statement-breakpoint
CREATE INDEX "credential_mails_candidate" ON "credential_mails" USING btree ("candidate_id","created_at");--> statement-breakpoint
CREATE INDEX "candidates_email" ON "candidates" USING btree ("assessment",lower("email")) WHERE "candidates"."email" is not null;--> statement-breakpoint
CREATE INDEX "mails_open" ON "mails" USING btree ("priority","next_try_at") WHERE "mails"."closed_at" is null;