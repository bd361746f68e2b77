-- live: no, because a node of before takes people off a list without keeping their place, and the numbers of others move
CREATE TABLE "removed_candidates" (
	"candidate_id" uuid PRIMARY KEY NOT NULL,
	"assessment" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "removed_candidates" ADD CONSTRAINT "removed_candidates_assessment_assessments_code_fk" FOREIGN KEY ("assessment") REFERENCES "public"."assessments"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "removed_candidates_assessment" ON "removed_candidates" USING btree ("assessment");--> statement-breakpoint
-- As in 0029, and who was taken off the list since the first start keeps the place, so that nobody else moves.
CREATE OR REPLACE VIEW blind_numbers AS
  select placed.candidate_id, placed.assessment, placed.number
  from (
    select listed.candidate_id, listed.assessment,
      row_number() over (
        partition by listed.assessment, listed.is_demo
        order by greatest(listed.created_at, first.started_at), md5(listed.candidate_id::text))::int as number
    from assessments s
    cross join lateral (
      select min(a.started_at) as started_at from attempts a where a.assessment = s.code and not a.is_demo
    ) first
    join (
      select c.id as candidate_id, c.assessment, c.created_at, c.is_demo from candidates c
      union all
      select r.candidate_id, r.assessment, r.created_at, false from removed_candidates r
    ) listed on listed.assessment = s.code
  ) placed
  where exists (select from attempts a where a.candidate_id = placed.candidate_id);
