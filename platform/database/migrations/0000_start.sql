-- live: no, because there is no version before it
CREATE TABLE "bank" (
	"id" smallint PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"content_hash" text,
	CONSTRAINT "bank_one_row" CHECK ("bank"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "error_practices" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"completed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "error_practices_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "practice_days" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"completed_at" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	CONSTRAINT "practice_days_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "question_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"question_id" integer NOT NULL,
	"user_id" uuid,
	"reason" text NOT NULL,
	"details" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "questions" (
	"id" integer PRIMARY KEY NOT NULL,
	"category" text NOT NULL,
	"difficulty" text NOT NULL,
	"topic" text,
	"question" text NOT NULL,
	"answer_a" text NOT NULL,
	"answer_b" text NOT NULL,
	"answer_c" text NOT NULL,
	"answer_d" text NOT NULL,
	"correct_option" text NOT NULL,
	"explanation" text,
	"why" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"source" text NOT NULL,
	"retired" boolean DEFAULT false NOT NULL,
	CONSTRAINT "questions_correct_option" CHECK ("questions"."correct_option" in ('A', 'B', 'C', 'D')),
	CONSTRAINT "questions_source" CHECK ("questions"."source" in ('content', 'import')),
	CONSTRAINT "questions_id_block" CHECK (("questions"."source" = 'import') = ("questions"."id" >= 100000)),
	CONSTRAINT "questions_id_positive" CHECK ("questions"."id" > 0)
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "recovery_tokens" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"code_tries" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "recovery_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"refresh_counter" integer DEFAULT 0 NOT NULL,
	"amr" jsonb NOT NULL,
	"user_agent" text,
	"ip" text,
	"created_at" timestamp with time zone NOT NULL,
	"refreshed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"private_key_encrypted" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "test_results" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"category" text NOT NULL,
	"difficulty" text NOT NULL,
	"test_number" integer NOT NULL,
	"score" integer NOT NULL,
	"total_questions" integer NOT NULL,
	"completed_at" timestamp with time zone NOT NULL,
	"questions_data" jsonb NOT NULL,
	"streak_answered" jsonb NOT NULL,
	CONSTRAINT "test_results_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "test_results_score" CHECK ("test_results"."score" between 0 and "test_results"."total_questions"),
	CONSTRAINT "test_results_total" CHECK ("test_results"."total_questions" > 0),
	CONSTRAINT "test_results_test_number" CHECK ("test_results"."test_number" > 0)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text,
	"email_verified_at" timestamp with time zone,
	"password_hash" text,
	"is_anonymous" boolean NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"last_sign_in_at" timestamp with time zone,
	"recovery_sent_at" timestamp with time zone,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_email_lower" CHECK ("users"."email" = lower("users"."email")),
	CONSTRAINT "users_guest_has_no_email" CHECK ("users"."is_anonymous" = ("users"."email" is null)),
	CONSTRAINT "users_guest_has_no_password" CHECK ("users"."is_anonymous" = ("users"."password_hash" is null))
);
--> statement-breakpoint
ALTER TABLE "error_practices" ADD CONSTRAINT "error_practices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_days" ADD CONSTRAINT "practice_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_reports" ADD CONSTRAINT "question_reports_question_id_questions_id_fk" FOREIGN KEY ("question_id") REFERENCES "public"."questions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_reports" ADD CONSTRAINT "question_reports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_tokens" ADD CONSTRAINT "recovery_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_results" ADD CONSTRAINT "test_results_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_open" ON "mails" USING btree ("next_try_at") WHERE "mails"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient","created_at");--> statement-breakpoint
CREATE INDEX "question_reports_user" ON "question_reports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "questions_cell" ON "questions" USING btree ("category","difficulty","id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "test_results_cell" ON "test_results" USING btree ("user_id","category","difficulty","completed_at" DESC NULLS LAST);