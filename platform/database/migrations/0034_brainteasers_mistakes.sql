-- live: yes, adds a column with a constant default to two tables; a node of before leaves it empty
ALTER TABLE "brainteasers" ADD COLUMN "mistakes" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_brainteasers" ADD COLUMN "mistakes" jsonb DEFAULT '{}'::jsonb NOT NULL;