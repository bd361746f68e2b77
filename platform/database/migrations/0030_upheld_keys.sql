-- live: yes, adds the table upheld_keys
CREATE TABLE "upheld_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"item_id" integer NOT NULL,
	"item_version" integer NOT NULL,
	"sittings" uuid[] NOT NULL,
	"reason" text NOT NULL,
	"user_id" uuid,
	"made_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "upheld_keys" ADD CONSTRAINT "upheld_keys_item_id_assessment_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."assessment_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upheld_keys" ADD CONSTRAINT "upheld_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upheld_keys_item" ON "upheld_keys" USING btree ("item_id");--> statement-breakpoint
CREATE INDEX "upheld_keys_user" ON "upheld_keys" USING btree ("user_id");