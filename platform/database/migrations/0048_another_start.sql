-- live: yes, adds columns without a default; nodes of before let their candidates start in the test's own window
ALTER TABLE "candidates" ADD COLUMN "starts_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "candidates" ADD COLUMN "starts_until" timestamp with time zone;--> statement-breakpoint
-- Every row that is there has neither, so nothing has to be read.
ALTER TABLE "candidates" ADD CONSTRAINT "candidates_starts" CHECK (("candidates"."starts_from" is null) = ("candidates"."starts_until" is null)
        and coalesce("candidates"."starts_from" < "candidates"."starts_until", true)) NOT VALID;
