-- live: yes, adds the table key_confirmations and a column of attempt_events that may be empty
CREATE TABLE "key_confirmations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "key_confirmations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"item_id" integer NOT NULL,
	"reason" text NOT NULL,
	"confirmed_by" text NOT NULL,
	"confirmed_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_by" text,
	CONSTRAINT "key_confirmations_withdrawn" CHECK (("key_confirmations"."withdrawn_at" is null) = ("key_confirmations"."withdrawn_by" is null))
);
--> statement-breakpoint
ALTER TABLE "attempt_events" ADD COLUMN "dwell" jsonb;--> statement-breakpoint
ALTER TABLE "key_confirmations" ADD CONSTRAINT "key_confirmations_item_id_assessment_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."assessment_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "key_confirmations_standing" ON "key_confirmations" USING btree ("item_id") WHERE "key_confirmations"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "key_confirmations_item" ON "key_confirmations" USING btree ("item_id");