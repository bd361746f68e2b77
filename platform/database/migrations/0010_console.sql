-- live: no, because every question is written anew under a lock, each with an id of its own
ALTER TABLE "assessment_items" ADD COLUMN "question_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "assessment_items" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "assessment_items" ADD COLUMN "topic" text;--> statement-breakpoint
ALTER TABLE "assessment_items" ADD COLUMN "explanation" text;--> statement-breakpoint
ALTER TABLE "assessment_items" ADD COLUMN "compute" text;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "season" text;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "is_draft" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "room" text;--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "password_made_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "societies" ADD COLUMN "time_zone" text DEFAULT 'Europe/Lisbon' NOT NULL;--> statement-breakpoint
ALTER TABLE "societies" ADD COLUMN "contact" text;