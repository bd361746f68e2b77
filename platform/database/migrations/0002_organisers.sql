-- live: no, because a check and an index read all attempts while nobody can start or submit
ALTER TABLE "assessments" ADD COLUMN "content_hash" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "paused_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_paused" CHECK ("attempts"."paused_ms" >= 0);--> statement-breakpoint
CREATE INDEX "attempts_candidate_id" ON "attempts" USING btree ("candidate_id");--> statement-breakpoint
-- A paper holds items of its own assessment. Locking the assessment first makes a start wait for a load
-- that is just replacing the items, and fail (the page tries again) instead of keeping the old ones.
CREATE FUNCTION require_paper() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform from assessments where code = new.assessment for key share;
  if exists (
    select from unnest(new.paper) item
    where not exists (select from assessment_items i where i.id = item and i.assessment = new.assessment)
  ) then
    raise exception 'The paper holds an item that assessment % does not have.', new.assessment
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;--> statement-breakpoint
CREATE TRIGGER attempts_paper BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION require_paper();--> statement-breakpoint
-- As before, and the time leaves out how long an attempt stood closed before it was reopened.
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
      select coalesce(answer.choice = i.correct_option or exists (
          select from item_rulings r where r.item_id = i.id and r.accepted_option = answer.choice
        ), false) as is_right
      from assessment_items i
      left join attempt_answers answer on answer.attempt_id = a.id and answer.item_id = i.id
      where i.id = any (a.paper)
        and not exists (select from item_rulings r where r.item_id = i.id and r.accepted_option is null)
    ) item
  ) grade
  where a.submitted_at is not null;
