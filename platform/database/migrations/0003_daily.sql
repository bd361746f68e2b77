-- live: yes, adds the tables of brainteasers
CREATE TABLE "brainteasers" (
	"id" integer PRIMARY KEY NOT NULL,
	"statement" text NOT NULL,
	"a" text NOT NULL,
	"b" text NOT NULL,
	"c" text NOT NULL,
	"d" text NOT NULL,
	"correct" text NOT NULL,
	"explanation" text,
	"retired" boolean DEFAULT false NOT NULL,
	CONSTRAINT "brainteasers_correct" CHECK ("brainteasers"."correct" in ('A', 'B', 'C', 'D'))
);
--> statement-breakpoint
CREATE TABLE "daily_brainteasers" (
	"date" date PRIMARY KEY NOT NULL,
	"brainteaser_id" integer,
	"statement" text NOT NULL,
	"a" text NOT NULL,
	"b" text NOT NULL,
	"c" text NOT NULL,
	"d" text NOT NULL,
	"correct" text NOT NULL,
	"explanation" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "daily_brainteasers_correct" CHECK ("daily_brainteasers"."correct" in ('A', 'B', 'C', 'D'))
);
--> statement-breakpoint
CREATE TABLE "daily_results" (
	"user_id" uuid NOT NULL,
	"date" date NOT NULL,
	"selected_option" text NOT NULL,
	"correct_option" text NOT NULL,
	"was_correct" boolean NOT NULL,
	"time_taken_seconds" integer NOT NULL,
	"answered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "daily_results_user_id_date_pk" PRIMARY KEY("user_id","date"),
	CONSTRAINT "daily_results_selected" CHECK ("daily_results"."selected_option" in ('A', 'B', 'C', 'D')),
	CONSTRAINT "daily_results_time" CHECK ("daily_results"."time_taken_seconds" >= 0)
);
--> statement-breakpoint
ALTER TABLE "daily_brainteasers" ADD CONSTRAINT "daily_brainteasers_brainteaser_id_brainteasers_id_fk" FOREIGN KEY ("brainteaser_id") REFERENCES "public"."brainteasers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_results" ADD CONSTRAINT "daily_results_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "daily_brainteasers_dealt" ON "daily_brainteasers" USING btree ("brainteaser_id");