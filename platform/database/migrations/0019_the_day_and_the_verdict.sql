-- live: no, because a node of before makes rulings without a kind, which are refused from here on
CREATE TABLE "attempt_comments" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "candidate_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "candidate_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"assessment" text NOT NULL,
	"room" text,
	"candidate_id" uuid,
	"text" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"sent_by" text NOT NULL,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "candidate_messages_text" CHECK (length("candidate_messages"."text") between 1 and 500),
	CONSTRAINT "candidate_messages_to" CHECK ("candidate_messages"."room" is null or "candidate_messages"."candidate_id" is null)
);
--> statement-breakpoint
CREATE TABLE "result_releases" (
	"assessment" text PRIMARY KEY NOT NULL,
	"released_at" timestamp with time zone NOT NULL,
	"released_by" text NOT NULL,
	"words" text NOT NULL,
	"withdrawn_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "fairness_cards" (
	"id" uuid PRIMARY KEY NOT NULL,
	"card_id" uuid NOT NULL,
	"society_id" uuid NOT NULL,
	"season" text NOT NULL,
	"version" integer NOT NULL,
	"content" jsonb NOT NULL,
	"basis_hash" text NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"made_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incident_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"candidate_id" uuid,
	"room" text,
	"happened_at" timestamp with time zone NOT NULL,
	"note" text NOT NULL,
	"reported_by" text NOT NULL,
	"user_id" uuid,
	"reported_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "incident_reports_note" CHECK (length("incident_reports"."note") between 1 and 2000)
);
--> statement-breakpoint
CREATE TABLE "incident_verdicts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"candidate_id" uuid NOT NULL,
	"incident" text NOT NULL,
	"verdict" text NOT NULL,
	"reason" text NOT NULL,
	"is_second" boolean DEFAULT false NOT NULL,
	"decided_by" text NOT NULL,
	"user_id" uuid,
	"decided_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_by" text,
	CONSTRAINT "incident_verdicts_verdict" CHECK ("incident_verdicts"."verdict" in ('cleared', 'upheld', 'needs_talk')),
	CONSTRAINT "incident_verdicts_withdrawn" CHECK (("incident_verdicts"."withdrawn_at" is null) = ("incident_verdicts"."withdrawn_by" is null))
);
--> statement-breakpoint
CREATE TABLE "kept_statistics" (
	"assessment" text PRIMARY KEY NOT NULL,
	"content" jsonb NOT NULL,
	"kept_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organiser_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"action" text NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "result_lines" (
	"assessment" text PRIMARY KEY NOT NULL,
	"points" real NOT NULL,
	"version" integer NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"fixed_at" timestamp with time zone,
	"fixed_by" text,
	"names_shown_at" timestamp with time zone,
	"names_shown_by" text
);
--> statement-breakpoint
CREATE TABLE "ruling_results" (
	"ruling_id" integer NOT NULL,
	"attempt_id" uuid NOT NULL,
	"correct_before" smallint NOT NULL,
	"incorrect_before" smallint NOT NULL,
	"correct_after" smallint NOT NULL,
	"incorrect_after" smallint NOT NULL,
	CONSTRAINT "ruling_results_ruling_id_attempt_id_pk" PRIMARY KEY("ruling_id","attempt_id")
);
--> statement-breakpoint
CREATE TABLE "score_shifts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"onto" text NOT NULL,
	"points" real NOT NULL,
	"basis" jsonb NOT NULL,
	"reason" text NOT NULL,
	"applied_by" text NOT NULL,
	"applied_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_by" text
);
--> statement-breakpoint
CREATE TABLE "seen_marks" (
	"candidate_id" uuid NOT NULL,
	"mark" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	CONSTRAINT "seen_marks_candidate_id_mark_pk" PRIMARY KEY("candidate_id","mark")
);
--> statement-breakpoint
CREATE TABLE "similarity_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"first_id" uuid,
	"second_id" uuid,
	"reason" text NOT NULL,
	"asked_by" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "similarity_checks_pair" CHECK (("similarity_checks"."first_id" is null) = ("similarity_checks"."second_id" is null))
);
--> statement-breakpoint
ALTER TABLE "assessment_items" ADD COLUMN "form" text;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "keep_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "keep_warned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "rooms_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "assessments" ADD COLUMN "needs_second_review" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "incident_seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "form" text;--> statement-breakpoint
ALTER TABLE "item_rulings" ADD COLUMN "kind" text;--> statement-breakpoint
UPDATE "item_rulings" SET "kind" = case when "accepted_option" is null then 'void' else 'accept' end;--> statement-breakpoint
ALTER TABLE "item_rulings" ALTER COLUMN "kind" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "item_rulings" ADD COLUMN "made_by" text;--> statement-breakpoint
ALTER TABLE "item_rulings" ADD COLUMN "is_proposal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "item_rulings" ADD COLUMN "withdrawn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "item_rulings" ADD COLUMN "withdrawn_by" text;--> statement-breakpoint
ALTER TABLE "item_rulings" ADD COLUMN "withdraw_reason" text;--> statement-breakpoint
ALTER TABLE "societies" ADD COLUMN "retention_months" smallint DEFAULT 12 NOT NULL;--> statement-breakpoint
ALTER TABLE "attempt_comments" ADD CONSTRAINT "attempt_comments_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidate_messages" ADD CONSTRAINT "candidate_messages_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "candidate_messages" ADD CONSTRAINT "candidate_messages_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "result_releases" ADD CONSTRAINT "result_releases_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fairness_cards" ADD CONSTRAINT "fairness_cards_society_id_societies_id_fk" FOREIGN KEY ("society_id") REFERENCES "public"."societies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_reports" ADD CONSTRAINT "incident_reports_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_reports" ADD CONSTRAINT "incident_reports_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_reports" ADD CONSTRAINT "incident_reports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_verdicts" ADD CONSTRAINT "incident_verdicts_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_verdicts" ADD CONSTRAINT "incident_verdicts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kept_statistics" ADD CONSTRAINT "kept_statistics_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organiser_calls" ADD CONSTRAINT "organiser_calls_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "result_lines" ADD CONSTRAINT "result_lines_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ruling_results" ADD CONSTRAINT "ruling_results_ruling_id_item_rulings_id_fk" FOREIGN KEY ("ruling_id") REFERENCES "public"."item_rulings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ruling_results" ADD CONSTRAINT "ruling_results_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "score_shifts" ADD CONSTRAINT "score_shifts_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "score_shifts" ADD CONSTRAINT "score_shifts_onto_assessments_code_fk" FOREIGN KEY ("onto") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seen_marks" ADD CONSTRAINT "seen_marks_candidate_id_candidates_id_fk" FOREIGN KEY ("candidate_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "similarity_checks" ADD CONSTRAINT "similarity_checks_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "similarity_checks" ADD CONSTRAINT "similarity_checks_first_id_candidates_id_fk" FOREIGN KEY ("first_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "similarity_checks" ADD CONSTRAINT "similarity_checks_second_id_candidates_id_fk" FOREIGN KEY ("second_id") REFERENCES "public"."candidates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "candidate_messages_assessment" ON "candidate_messages" USING btree ("assessment","id");--> statement-breakpoint
CREATE INDEX "candidate_messages_candidate" ON "candidate_messages" USING btree ("candidate_id") WHERE "candidate_messages"."candidate_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "fairness_cards_version" ON "fairness_cards" USING btree ("card_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "fairness_cards_season" ON "fairness_cards" USING btree ("society_id","season","version");--> statement-breakpoint
CREATE INDEX "incident_reports_assessment" ON "incident_reports" USING btree ("assessment","happened_at");--> statement-breakpoint
CREATE INDEX "incident_reports_candidate" ON "incident_reports" USING btree ("candidate_id");--> statement-breakpoint
CREATE INDEX "incident_reports_user" ON "incident_reports" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "incident_verdicts_standing" ON "incident_verdicts" USING btree ("candidate_id","incident","is_second") WHERE "incident_verdicts"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "incident_verdicts_user" ON "incident_verdicts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "organiser_calls_assessment" ON "organiser_calls" USING btree ("assessment");--> statement-breakpoint
CREATE INDEX "ruling_results_attempt" ON "ruling_results" USING btree ("attempt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "score_shifts_standing" ON "score_shifts" USING btree ("assessment") WHERE "score_shifts"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "score_shifts_assessment" ON "score_shifts" USING btree ("assessment");--> statement-breakpoint
CREATE INDEX "score_shifts_onto" ON "score_shifts" USING btree ("onto");--> statement-breakpoint
CREATE INDEX "similarity_checks_assessment" ON "similarity_checks" USING btree ("assessment","asked_at");--> statement-breakpoint
CREATE INDEX "similarity_checks_first" ON "similarity_checks" USING btree ("first_id");--> statement-breakpoint
CREATE INDEX "similarity_checks_second" ON "similarity_checks" USING btree ("second_id");--> statement-breakpoint
CREATE UNIQUE INDEX "item_rulings_one_key" ON "item_rulings" USING btree ("item_id") WHERE "item_rulings"."kind" = 'replace' and "item_rulings"."withdrawn_at" is null and not "item_rulings"."is_proposal";--> statement-breakpoint
ALTER TABLE "assessment_items" ADD CONSTRAINT "assessment_items_form" CHECK ("assessment_items"."form" in ('A', 'B'));--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_form" CHECK ("attempts"."form" in ('A', 'B'));--> statement-breakpoint
ALTER TABLE "item_rulings" ADD CONSTRAINT "item_rulings_kind" CHECK ("item_rulings"."kind" in ('accept', 'replace', 'void', 'full_marks'));--> statement-breakpoint
ALTER TABLE "item_rulings" ADD CONSTRAINT "item_rulings_kind_option" CHECK (("item_rulings"."accepted_option" is not null) = ("item_rulings"."kind" in ('accept', 'replace')));--> statement-breakpoint
ALTER TABLE "item_rulings" ADD CONSTRAINT "item_rulings_withdrawn" CHECK (("item_rulings"."withdrawn_at" is null) = ("item_rulings"."withdrawn_by" is null));--> statement-breakpoint
ALTER TABLE "societies" ADD CONSTRAINT "societies_retention" CHECK ("societies"."retention_months" between 1 and 120);--> statement-breakpoint
-- Rulings that count: neither taken back nor only proposed.
CREATE VIEW standing_rulings AS
  select * from item_rulings where withdrawn_at is null and not is_proposal;--> statement-breakpoint
-- What counts as right for each item: its key, or the one that replaced it, and what is accepted besides.
CREATE VIEW item_keys AS
  select i.id as item_id, i.assessment, i.position,
    coalesce(
      array(select r.accepted_option from standing_rulings r where r.item_id = i.id and r.kind = 'replace'),
      '{}'
    ) || case when exists (select from standing_rulings r where r.item_id = i.id and r.kind = 'replace')
      then '{}'::text[] else array[i.correct_option] end
    || array(
      select distinct r.accepted_option from standing_rulings r where r.item_id = i.id and r.kind = 'accept'
      order by 1
    ) as keys,
    exists (select from standing_rulings r where r.item_id = i.id and r.kind = 'void') as is_void,
    exists (select from standing_rulings r where r.item_id = i.id and r.kind = 'full_marks') as is_full_marks
  from assessment_items i;--> statement-breakpoint
-- As before, by the rulings that stand: a replaced key counts no more, and full marks are everybody's.
CREATE OR REPLACE VIEW assessment_results AS
  select a.id as attempt_id, a.assessment, c.username as "user", grade.correct, grade.incorrect,
    minutes_text(
      floor(extract(epoch from a.submitted_at - a.started_at) - a.paused_ms / 1000.0)::int
    ) as time,
    attempt_strikes(a.id) > 0 as cheated,
    a.submitted_at, a.submit_reason, a.is_demo
  from attempts a
  join candidates c on c.id = a.candidate_id
  cross join lateral (
    select count(*) filter (where item.is_right)::int as correct,
      count(*) filter (where not item.is_right)::int as incorrect
    from (
      select coalesce(
        (answer.choice = i.correct_option and not exists (
          select from standing_rulings r where r.item_id = i.id and r.kind = 'replace'
        ))
        or exists (
          select from standing_rulings r where r.item_id = i.id
            and (r.accepted_option = answer.choice or r.kind = 'full_marks')
        ), false) as is_right
      from assessment_items i
      left join attempt_answers answer on answer.attempt_id = a.id and answer.item_id = i.id
      where i.id = any (a.paper)
        and not exists (select from standing_rulings r where r.item_id = i.id and r.kind = 'void')
    ) item
  ) grade
  where a.submitted_at is not null;--> statement-breakpoint
-- What stands for a candidate where names are covered: a number that tells nothing and stays.
CREATE VIEW blind_numbers AS
  select a.candidate_id, a.assessment,
    row_number() over (partition by a.assessment, a.is_demo order by md5(a.candidate_id::text))::int as number
  from attempts a;
