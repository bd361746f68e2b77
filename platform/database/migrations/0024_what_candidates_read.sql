-- live: yes, adds two columns of result_releases with constants
ALTER TABLE "result_releases" ADD COLUMN "tells_line" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "result_releases" ADD COLUMN "errors" jsonb DEFAULT '{}'::jsonb NOT NULL;