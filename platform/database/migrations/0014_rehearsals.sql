-- live: no, because a node of before takes a rehearsal for a test
CREATE TABLE "device_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"candidate_id" uuid,
	"society_id" uuid,
	"user_id" uuid,
	"checked_at" timestamp with time zone NOT NULL,
	"browser" text NOT NULL,
	"clock_offset_ms" integer NOT NULL,
	"round_trip_ms" integer NOT NULL,
	"has_fullscreen" boolean NOT NULL,
	"has_storage" boolean NOT NULL,
	"troubles" text[] NOT NULL,
	CONSTRAINT "device_checks_candidate_id_unique" UNIQUE("candidate_id"),
	CONSTRAINT "device_checks_of_one" CHECK (("device_checks"."candidate_id" is null) = ("device_checks"."user_id" is not null)
        and ("device_checks"."society_id" is null) = ("device_checks"."user_id" is null))
);
--> statement-breakpoint
CREATE TABLE "rehearsals" (
	"candidate_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"of_candidate_id" uuid,
	"helper_of" uuid,
	"opened_at" timestamp with time zone NOT NULL,
	CONSTRAINT "rehearsals_one_outcome" CHECK ("rehearsals"."of_candidate_id" is null or "rehearsals"."helper_of" is null)
);
--> statement-breakpoint
CREATE TABLE "simulations" (
	"assessment" text PRIMARY KEY NOT NULL,
	"society_id" uuid NOT NULL,
	"candidate_count" smallint NOT NULL,
	"started_by" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"beat_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ending" text,
	CONSTRAINT "simulations_ending" CHECK (("simulations"."ended_at" is null) = ("simulations"."ending" is null)),
	CONSTRAINT "simulations_known_ending" CHECK ("simulations"."ending" in ('played', 'stopped', 'yielded', 'lost'))
);
--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "trial" text;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "trial_of" text;--> statement-breakpoint
ALTER TABLE "device_checks" ADD CONSTRAINT "device_checks_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_checks" ADD CONSTRAINT "device_checks_society_id_societies_id_fk" FOREIGN KEY ("society_id") REFERENCES "public"."societies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_checks" ADD CONSTRAINT "device_checks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rehearsals" ADD CONSTRAINT "rehearsals_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rehearsals" ADD CONSTRAINT "rehearsals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rehearsals" ADD CONSTRAINT "rehearsals_of_candidate_id_candidates_id_fk" FOREIGN KEY ("of_candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rehearsals" ADD CONSTRAINT "rehearsals_helper_of_societies_id_fk" FOREIGN KEY ("helper_of") REFERENCES "public"."societies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulations" ADD CONSTRAINT "simulations_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulations" ADD CONSTRAINT "simulations_society_id_societies_id_fk" FOREIGN KEY ("society_id") REFERENCES "public"."societies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "device_checks_member" ON "device_checks" USING btree ("society_id","user_id");--> statement-breakpoint
CREATE INDEX "device_checks_user" ON "device_checks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "rehearsals_user" ON "rehearsals" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "rehearsals_of_candidate" ON "rehearsals" USING btree ("of_candidate_id");--> statement-breakpoint
CREATE UNIQUE INDEX "simulations_one_a_society" ON "simulations" USING btree ("society_id") WHERE "simulations"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "assessments_rehearsal" ON "assessments" USING btree ("trial_of") WHERE "assessments"."trial" = 'rehearsal';--> statement-breakpoint
ALTER TABLE "assessments" ADD CONSTRAINT "assessments_trial" CHECK (("assessments"."trial" is null) = ("assessments"."trial_of" is null) and "assessments"."trial" in ('rehearsal', 'simulation'));