-- live: yes, adds the tables of imports and key checks
CREATE TABLE "key_check_answers" (
	"sitting_id" uuid NOT NULL,
	"item_id" integer NOT NULL,
	"item_version" integer NOT NULL,
	"choice" text,
	"comment" text,
	CONSTRAINT "key_check_answers_sitting_id_item_id_pk" PRIMARY KEY("sitting_id","item_id"),
	CONSTRAINT "key_check_answers_choice" CHECK ("key_check_answers"."choice" in ('A', 'B', 'C', 'D'))
);
--> statement-breakpoint
CREATE TABLE "key_check_sittings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"user_id" uuid,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "question_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"user_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"item_ids" integer[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "key_check_answers" ADD CONSTRAINT "key_check_answers_sitting_id_key_check_sittings_id_fk" FOREIGN KEY ("sitting_id") REFERENCES "public"."key_check_sittings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_check_answers" ADD CONSTRAINT "key_check_answers_item_id_assessment_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."assessment_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_check_sittings" ADD CONSTRAINT "key_check_sittings_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_check_sittings" ADD CONSTRAINT "key_check_sittings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_imports" ADD CONSTRAINT "question_imports_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_imports" ADD CONSTRAINT "question_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_check_answers_item" ON "key_check_answers" USING btree ("item_id");--> statement-breakpoint
CREATE UNIQUE INDEX "key_check_sittings_open" ON "key_check_sittings" USING btree ("assessment","user_id") WHERE "key_check_sittings"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "key_check_sittings_user" ON "key_check_sittings" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "question_imports_assessment" ON "question_imports" USING btree ("assessment");--> statement-breakpoint
CREATE INDEX "question_imports_user" ON "question_imports" USING btree ("user_id");