ALTER TABLE "brainteasers" ADD COLUMN "mistakes" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_brainteasers" ADD COLUMN "mistakes" jsonb DEFAULT '{}'::jsonb NOT NULL;