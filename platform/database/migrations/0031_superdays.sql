-- live: no, because a node of before meets tests without a society
CREATE TABLE "superdays" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"seed" integer NOT NULL,
	"time_zone" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"counts_from" timestamp with time zone NOT NULL,
	"questions" integer[] NOT NULL,
	"case_slug" text NOT NULL,
	"prompts" text[] NOT NULL,
	"test" jsonb,
	"ended_at" timestamp with time zone,
	CONSTRAINT "superdays_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "superdays_ended" CHECK ("superdays"."ended_at" >= "superdays"."started_at")
);
--> statement-breakpoint
ALTER TABLE "assessments" DROP CONSTRAINT "assessments_trial";--> statement-breakpoint
ALTER TABLE "assessments" ALTER COLUMN "society_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "superdays" ADD CONSTRAINT "superdays_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "superdays_started" ON "superdays" USING btree ("user_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "assessments_superday" ON "assessments" USING btree ("trial_of") WHERE "assessments"."trial" = 'superday';--> statement-breakpoint
ALTER TABLE "assessments" ADD CONSTRAINT "assessments_whose" CHECK (("assessments"."society_id" is null) = ("assessments"."trial" is not null and "assessments"."trial" = 'superday'));--> statement-breakpoint
ALTER TABLE "assessments" ADD CONSTRAINT "assessments_trial" CHECK (("assessments"."trial" is null) = ("assessments"."trial_of" is null) and "assessments"."trial" in ('rehearsal', 'simulation', 'superday'));