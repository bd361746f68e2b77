-- live: yes, adds the tables, views and functions of assessments
CREATE TABLE "admin_actions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_actions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"assessment" text,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assessment_items" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "assessment_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"assessment" text NOT NULL,
	"position" integer NOT NULL,
	"question" text NOT NULL,
	"answer_a" text NOT NULL,
	"answer_b" text NOT NULL,
	"answer_c" text NOT NULL,
	"answer_d" text NOT NULL,
	"correct_option" text NOT NULL,
	"is_sample" boolean NOT NULL,
	CONSTRAINT "assessment_items_key" CHECK ("assessment_items"."correct_option" in ('A', 'B', 'C', 'D'))
);
--> statement-breakpoint
CREATE TABLE "assessments" (
	"code" text PRIMARY KEY NOT NULL,
	"society" text NOT NULL,
	"session" text,
	"duration_seconds" integer NOT NULL,
	"shuffle" boolean NOT NULL,
	"navigator" boolean NOT NULL,
	"rules" jsonb NOT NULL,
	"opens_at" timestamp with time zone,
	"closes_at" timestamp with time zone,
	"time_zone" text NOT NULL,
	"is_sample" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "assessments_code" CHECK ("assessments"."code" ~ '^[A-Z0-9_]{1,40}$'),
	CONSTRAINT "assessments_duration" CHECK ("assessments"."duration_seconds" between 1 and 86400),
	CONSTRAINT "assessments_window" CHECK ("assessments"."opens_at" < "assessments"."closes_at")
);
--> statement-breakpoint
CREATE TABLE "attempt_answers" (
	"attempt_id" uuid NOT NULL,
	"item_id" integer NOT NULL,
	"choice" text NOT NULL,
	"revision" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "attempt_answers_attempt_id_item_id_pk" PRIMARY KEY("attempt_id","item_id"),
	CONSTRAINT "attempt_answers_choice" CHECK ("attempt_answers"."choice" in ('A', 'B', 'C', 'D'))
);
--> statement-breakpoint
CREATE TABLE "attempt_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attempt_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"candidate_id" uuid NOT NULL,
	"attempt_id" uuid,
	"kind" text NOT NULL,
	"window_id" text,
	"number" integer,
	"at_ms" bigint,
	"detail" jsonb,
	"is_violation" boolean DEFAULT false NOT NULL,
	"voided_at" timestamp with time zone,
	"void_reason" text,
	"user_id" uuid,
	"address" text,
	"agent" text,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempt_windows" (
	"attempt_id" uuid NOT NULL,
	"window_id" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"last_event" integer DEFAULT 0 NOT NULL,
	"user_id" uuid,
	"address" text,
	"agent" text,
	CONSTRAINT "attempt_windows_attempt_id_window_id_pk" PRIMARY KEY("attempt_id","window_id")
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"candidate_id" uuid NOT NULL,
	"user_id" uuid,
	"paper" integer[] NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"deadline_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone,
	"submit_reason" text,
	"closed_by_submit" boolean DEFAULT false NOT NULL,
	"window_id" text NOT NULL,
	"is_demo" boolean NOT NULL,
	CONSTRAINT "attempts_reason" CHECK (("attempts"."submitted_at" is null) = ("attempts"."submit_reason" is null)),
	CONSTRAINT "attempts_deadline" CHECK ("attempts"."deadline_at" > "attempts"."started_at")
);
--> statement-breakpoint
CREATE TABLE "candidate_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"candidate_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "candidates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"username" text NOT NULL,
	"password_hash" "bytea" NOT NULL,
	"extra_seconds" integer DEFAULT 0 NOT NULL,
	"exempt_kinds" text[] DEFAULT '{}' NOT NULL,
	"revoked_at" timestamp with time zone,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "candidates_username_blank" CHECK (btrim("candidates"."username") <> ''),
	CONSTRAINT "candidates_extra_seconds" CHECK ("candidates"."extra_seconds" >= 0)
);
--> statement-breakpoint
CREATE TABLE "item_rulings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "item_rulings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"item_id" integer NOT NULL,
	"accepted_option" text,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "item_rulings_option" CHECK ("item_rulings"."accepted_option" in ('A', 'B', 'C', 'D'))
);
--> statement-breakpoint
CREATE TABLE "service_pulse" (
	"id" smallint PRIMARY KEY NOT NULL,
	"up_since" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "service_pulse_one_row" CHECK ("service_pulse"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "assessment_items" ADD CONSTRAINT "assessment_items_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempt_answers" ADD CONSTRAINT "attempt_answers_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempt_answers" ADD CONSTRAINT "attempt_answers_item_id_assessment_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."assessment_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempt_events" ADD CONSTRAINT "attempt_events_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempt_events" ADD CONSTRAINT "attempt_events_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempt_events" ADD CONSTRAINT "attempt_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempt_windows" ADD CONSTRAINT "attempt_windows_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempt_windows" ADD CONSTRAINT "attempt_windows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidate_tokens" ADD CONSTRAINT "candidate_tokens_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidate_tokens" ADD CONSTRAINT "candidate_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidate_tokens" ADD CONSTRAINT "candidate_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidates" ADD CONSTRAINT "candidates_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_rulings" ADD CONSTRAINT "item_rulings_item_id_assessment_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."assessment_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "assessment_items_position" ON "assessment_items" USING btree ("assessment","position");--> statement-breakpoint
CREATE UNIQUE INDEX "attempt_events_number" ON "attempt_events" USING btree ("attempt_id","window_id","number");--> statement-breakpoint
CREATE INDEX "attempt_events_attempt" ON "attempt_events" USING btree ("attempt_id","id");--> statement-breakpoint
CREATE INDEX "attempt_events_candidate" ON "attempt_events" USING btree ("candidate_id");--> statement-breakpoint
CREATE INDEX "attempt_events_user" ON "attempt_events" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "attempt_windows_user" ON "attempt_windows" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "attempts_candidate" ON "attempts" USING btree ("assessment","candidate_id");--> statement-breakpoint
CREATE INDEX "attempts_user" ON "attempts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "attempts_open" ON "attempts" USING btree ("deadline_at") WHERE "attempts"."submitted_at" is null;--> statement-breakpoint
CREATE INDEX "candidate_tokens_candidate" ON "candidate_tokens" USING btree ("candidate_id");--> statement-breakpoint
CREATE INDEX "candidate_tokens_user" ON "candidate_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "candidate_tokens_session" ON "candidate_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "candidates_username" ON "candidates" USING btree ("assessment",lower("username"));--> statement-breakpoint
CREATE INDEX "item_rulings_item" ON "item_rulings" USING btree ("item_id");--> statement-breakpoint
-- Strikes of an attempt: violations that nobody voided, of kinds the candidate isn't exempt from.
CREATE FUNCTION attempt_strikes(attempt uuid) RETURNS int LANGUAGE sql STABLE AS $$
  select count(*)::int from attempt_events e join candidates c on c.id = e.candidate_id
  where e.attempt_id = attempt and e.is_violation and e.voided_at is null
    and not (e.kind = any (c.exempt_kinds))
$$;--> statement-breakpoint
-- mm:ss of a number of seconds; minutes grow past 59.
CREATE FUNCTION minutes_text(seconds int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  select lpad((seconds / 60)::text, greatest(2, length((seconds / 60)::text)), '0')
    || ':' || lpad((seconds % 60)::text, 2, '0')
$$;--> statement-breakpoint
-- Every finalised attempt with its result, derived from answers, keys and rulings: a regrade or a
-- voided event shows at once. Unanswered counts as incorrect, a void item as neither.
CREATE VIEW assessment_results AS
  select a.id as attempt_id, a.assessment, c.username as "user", grade.correct, grade.incorrect,
    minutes_text(floor(extract(epoch from a.submitted_at - a.started_at))::int) as time,
    attempt_strikes(a.id) > 0 as cheated,
    a.submitted_at, a.submit_reason, a.is_demo
  from attempts a
  join candidates c on c.id = a.candidate_id
  cross join lateral (
    select count(*) filter (where item.is_right)::int as correct,
      count(*) filter (where not item.is_right)::int as incorrect
    from (
      select coalesce(answer.choice = i.correct_option or exists (
          select from item_rulings r where r.item_id = i.id and r.accepted_option = answer.choice
        ), false) as is_right
      from assessment_items i
      left join attempt_answers answer on answer.attempt_id = a.id and answer.item_id = i.id
      where i.id = any (a.paper)
        and not exists (select from item_rulings r where r.item_id = i.id and r.accepted_option is null)
    ) item
  ) grade
  where a.submitted_at is not null;--> statement-breakpoint
-- The specification's result tables (section 3), counts as text.
CREATE VIEW "PCF_results" AS
  select "user", correct::text, incorrect::text, time, cheated from assessment_results
  where assessment = 'PCF' and not is_demo;--> statement-breakpoint
CREATE VIEW "ESFS_MORNING_results" AS
  select "user", correct::text, incorrect::text, time, cheated from assessment_results
  where assessment = 'ESFS_MORNING' and not is_demo;--> statement-breakpoint
CREATE VIEW "ESFS_AFTERNOON_results" AS
  select "user", correct::text, incorrect::text, time, cheated from assessment_results
  where assessment = 'ESFS_AFTERNOON' and not is_demo;
