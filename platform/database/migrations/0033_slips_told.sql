-- live: yes, adds two columns of candidates that may be empty
ALTER TABLE "candidates" ADD COLUMN "slip_made_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "slip_told" text;