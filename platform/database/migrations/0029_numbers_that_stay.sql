-- live: yes, changes what the view blind_numbers counts, not its columns
-- What stands for a candidate where names are covered: a number that tells nothing and stays while others start.
-- Those who stood on the list at the first start have theirs in no order; who was added later comes behind them.
CREATE OR REPLACE VIEW blind_numbers AS
  select listed.candidate_id, listed.assessment, listed.number
  from (
    select c.id as candidate_id, c.assessment,
      row_number() over (
        partition by c.assessment, c.is_demo
        order by greatest(c.created_at, first.started_at), md5(c.id::text))::int as number
    from assessments s
    cross join lateral (
      select min(a.started_at) as started_at from attempts a where a.assessment = s.code and not a.is_demo
    ) first
    join candidates c on c.assessment = s.code
  ) listed
  where exists (select from attempts a where a.candidate_id = listed.candidate_id);
