-- live: yes, adds a column that is filled by a default, and changes the order in the view blind_numbers, not its columns; although rows: a society has some dozens of tests, and those that nobody has started are locked for some milliseconds
-- Blind numbers followed from the candidates' ids, which the list of candidates has. Now a secret of the test is part of
-- what they are drawn with. Where somebody has started there is none, so that numbers which members know stay.
ALTER TABLE "assessments" ADD COLUMN "number_secret" uuid;--> statement-breakpoint
ALTER TABLE "assessments" ALTER COLUMN "number_secret" SET DEFAULT gen_random_uuid();--> statement-breakpoint
UPDATE "assessments" s SET "number_secret" = gen_random_uuid()
WHERE NOT EXISTS (SELECT FROM "attempts" a WHERE a."assessment" = s."code" AND NOT a."is_demo");--> statement-breakpoint
CREATE OR REPLACE VIEW blind_numbers AS
  select placed.candidate_id, placed.assessment, placed.number
  from (
    select listed.candidate_id, listed.assessment,
      row_number() over (
        partition by listed.assessment, listed.is_demo
        order by greatest(listed.created_at, first.started_at),
          md5(concat(s.number_secret, listed.candidate_id)))::int as number
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
