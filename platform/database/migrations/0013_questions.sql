-- live: no, because a node of before changes questions without keeping what they were
CREATE TABLE "exhibit_pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"society_id" uuid NOT NULL,
	"type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "exhibit_pictures_type" CHECK ("exhibit_pictures"."type" in ('image/png', 'image/jpeg', 'image/webp')),
	CONSTRAINT "exhibit_pictures_size" CHECK (octet_length("exhibit_pictures"."bytes") between 1 and 500000)
);
--> statement-breakpoint
CREATE TABLE "item_versions" (
	"assessment" text NOT NULL,
	"question_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"content" jsonb NOT NULL,
	"changed_by_name" text,
	"changed_by" uuid,
	"changed_at" timestamp with time zone,
	CONSTRAINT "item_versions_assessment_question_id_version_pk" PRIMARY KEY("assessment","question_id","version"),
	CONSTRAINT "item_versions_changed" CHECK (("item_versions"."changed_by_name" is null) = ("item_versions"."changed_at" is null))
);
--> statement-breakpoint
CREATE TABLE "question_presence" (
	"assessment" text NOT NULL,
	"user_id" uuid NOT NULL,
	"question_id" uuid,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "question_presence_assessment_user_id_pk" PRIMARY KEY("assessment","user_id")
);
--> statement-breakpoint
ALTER TABLE "assessment_items" ADD COLUMN "exhibit" jsonb;--> statement-breakpoint
ALTER TABLE "exhibit_pictures" ADD CONSTRAINT "exhibit_pictures_society_id_societies_id_fk" FOREIGN KEY ("society_id") REFERENCES "public"."societies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_versions" ADD CONSTRAINT "item_versions_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_versions" ADD CONSTRAINT "item_versions_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_presence" ADD CONSTRAINT "question_presence_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_presence" ADD CONSTRAINT "question_presence_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exhibit_pictures_society" ON "exhibit_pictures" USING btree ("society_id");--> statement-breakpoint
CREATE INDEX "item_versions_changed_by" ON "item_versions" USING btree ("changed_by") WHERE "item_versions"."changed_by" is not null;--> statement-breakpoint
CREATE INDEX "question_presence_user" ON "question_presence" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "assessment_items_question" ON "assessment_items" USING btree ("question_id","assessment");