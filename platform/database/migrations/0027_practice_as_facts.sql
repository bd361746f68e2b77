-- live: yes, adds the tables of practice and two columns of questions with constants or empty
CREATE TABLE "answered_questions" (
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"place" smallint NOT NULL,
	"kind" text NOT NULL,
	"item" text NOT NULL,
	"family" text NOT NULL,
	"choice" text NOT NULL,
	"is_right" boolean NOT NULL,
	"is_guess" boolean DEFAULT false NOT NULL,
	"slip" text,
	"took_ms" integer,
	"answered_at" timestamp with time zone NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "answered_questions_user_id_session_id_place_pk" PRIMARY KEY("user_id","session_id","place"),
	CONSTRAINT "answered_questions_took" CHECK ("answered_questions"."took_ms" >= 0)
);
--> statement-breakpoint
CREATE TABLE "drills" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"preset" text NOT NULL,
	"version" smallint NOT NULL,
	"seed" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"took_ms" integer NOT NULL,
	"correct" smallint NOT NULL,
	"wrong" smallint NOT NULL,
	"skipped" smallint NOT NULL,
	"score" integer NOT NULL,
	"answers" jsonb NOT NULL,
	CONSTRAINT "drills_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "practice_cases" (
	"slug" text PRIMARY KEY NOT NULL,
	"place" integer NOT NULL,
	"body" jsonb NOT NULL,
	"retired" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_plans" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"interview_on" date,
	"minutes_a_day" smallint NOT NULL,
	"role" text NOT NULL,
	"days_off" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reminders" jsonb,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_sessions" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"about" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"score" integer NOT NULL,
	"total" integer NOT NULL,
	"completed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "practice_sessions_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"user_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"keys" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "push_subscriptions_user_id_endpoint_pk" PRIMARY KEY("user_id","endpoint")
);
--> statement-breakpoint
CREATE TABLE "reminders_sent" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"channel" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "reminders_sent_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
CREATE TABLE "review_cards" (
	"user_id" uuid NOT NULL,
	"family" text NOT NULL,
	"stale" boolean DEFAULT true NOT NULL,
	"settings" smallint DEFAULT 0 NOT NULL,
	"item" text NOT NULL,
	"due" date,
	"stability" real,
	"difficulty" real,
	"lapses" smallint DEFAULT 0 NOT NULL,
	"right_in_row" smallint DEFAULT 0 NOT NULL,
	"last_day" date,
	"last_right" boolean,
	CONSTRAINT "review_cards_user_id_family_pk" PRIMARY KEY("user_id","family")
);
--> statement-breakpoint
CREATE TABLE "spoken_answers" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"prompt" text NOT NULL,
	"points" jsonb NOT NULL,
	"rating" smallint NOT NULL,
	"took_ms" integer NOT NULL,
	"answered_at" timestamp with time zone NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "spoken_answers_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "spoken_answers_rating" CHECK ("spoken_answers"."rating" between 1 and 4)
);
--> statement-breakpoint
CREATE TABLE "spoken_prompts" (
	"slug" text PRIMARY KEY NOT NULL,
	"place" integer NOT NULL,
	"body" jsonb NOT NULL,
	"retired" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "questions" ADD COLUMN "slips" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "questions" ADD COLUMN "family" text;--> statement-breakpoint
ALTER TABLE "answered_questions" ADD CONSTRAINT "answered_questions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drills" ADD CONSTRAINT "drills_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_plans" ADD CONSTRAINT "practice_plans_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_sessions" ADD CONSTRAINT "practice_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders_sent" ADD CONSTRAINT "reminders_sent_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_cards" ADD CONSTRAINT "review_cards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spoken_answers" ADD CONSTRAINT "spoken_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "answered_questions_family" ON "answered_questions" USING btree ("user_id","family","answered_at");--> statement-breakpoint
CREATE INDEX "drills_preset" ON "drills" USING btree ("user_id","preset","started_at");--> statement-breakpoint
CREATE INDEX "practice_sessions_time" ON "practice_sessions" USING btree ("user_id","completed_at");--> statement-breakpoint
CREATE INDEX "review_cards_due" ON "review_cards" USING btree ("user_id","due");--> statement-breakpoint
CREATE INDEX "review_cards_stale" ON "review_cards" USING btree ("user_id") WHERE "review_cards"."stale";--> statement-breakpoint
CREATE INDEX "spoken_answers_prompt" ON "spoken_answers" USING btree ("user_id","prompt","answered_at");