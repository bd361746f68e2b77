-- The demo season (product 7.6.4), run by societies/server/demo.ts in one transaction.
-- `demo_person` holds the lines of people.json with `opens` and new ids. All times there are seconds: `starts`
-- after the opening, all others after the start. `answers` reads 'A65-12': A after 65 s, then a question left
-- out after 12 s. Of an event `gone` is how long nothing was seen before it, and `heard` the delay of the network.

insert into assessments (code, society_id, society, session, season, duration_seconds, shuffle, navigator, rules,
  opens_at, closes_at, time_zone, is_sample, created_at)
select p.code, s.society_id, s.society, case p.code when 'DEMO_SPRING' then 'Morning' else 'Afternoon' end,
  'Spring ' || extract(year from p.opens), s.duration_seconds, s.shuffle, s.navigator, s.rules,
  p.opens, p.opens + interval '1 hour', 'Europe/Lisbon', true, p.now
from assessments s, (select distinct code, opens, now from demo_person where code like 'DEMO%') p
where s.code = 'PCF';

-- The sessions share the first twelve questions.
insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c, answer_d,
  correct_option, question_id, version, topic, explanation, compute, is_sample)
select c.code, i.position + c.behind, i.question, i.answer_a, i.answer_b, i.answer_c, i.answer_d,
  i.correct_option, i.question_id, i.version, i.topic, i.explanation, i.compute, true
from (values ('DEMO_SPRING', 'PCF', 30, 0), ('DEMO_SPRING_PM', 'PCF', 12, 0),
  ('DEMO_SPRING_PM', 'ESFS_AFTERNOON', 18, 12)) c (code, source, last, behind)
join assessment_items i on i.assessment = c.source and i.position <= c.last
order by c.code, i.position + c.behind;

-- The evening before, an author swapped options A and C of question 5 and left the key at A. The analysis finds it.
insert into item_versions (assessment, question_id, version, content, changed_by_name, changed_at)
select i.assessment, i.question_id, i.version + n, jsonb_build_object('question', i.question, 'options',
    jsonb_build_object('A', case n when 0 then i.answer_a else i.answer_c end, 'B', i.answer_b,
      'C', case n when 0 then i.answer_c else i.answer_a end, 'D', i.answer_d),
    'answer', i.correct_option, 'explanation', i.explanation, 'topic', i.topic, 'compute', i.compute, 'exhibit', null),
  case n when 1 then 'Carla Dietz (invented)' end,
  case n when 1 then a.opens_at - interval '12 hours 20 minutes' end
from assessment_items i join assessments a on a.code = i.assessment, generate_series(0, 1) n
where i.assessment = 'DEMO_SPRING' and i.position = 5;
update assessment_items set answer_a = answer_c, answer_c = answer_a, version = version + 1
where assessment = 'DEMO_SPRING' and position = 5;

-- On the list, with a password that nobody knows.
insert into candidates (id, assessment, username, name, email, room, extra_seconds, password_hash, created_at)
select id, code, username, name || ' (invented)', username || '@demo.superday.example', room, coalesce(extra, 0),
  sha256(convert_to(gen_random_uuid()::text, 'UTF8')), coalesce(opens - interval '9 days', now)
from demo_person
on conflict do nothing;

insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at, submit_reason,
  closed_by_submit, window_id, is_demo)
select p.attempt, p.code, p.id, array(select i.id from assessment_items i where i.assessment = p.code order by position),
  p.started, p.started + (a.duration_seconds + coalesce(p.extra, 0)) * interval '1 second',
  p.started + p.ends * interval '1 second', coalesce(p."by", 'candidate'), p."by" is null,
  coalesce(second_window, first_window), false
from demo_person p join assessments a on a.code = p.code where p.answers is not null;

-- What was chosen, in milliseconds after the start. A network that is away holds it back until it is online.
create temp table demo_save on commit drop as
select p.id, p.attempt, p.events, p.second_window, p.opened_ms, i.id as item, token[1] as choice,
  sum(token[2]::int) over answered * 1000 as at_ms, token[2]::int * 1000 as took_ms,
  count(*) filter (where token[1] <> '-') over answered as revision
from demo_person p cross join lateral regexp_matches(p.answers, '([A-D-])(\d+)', 'g') with ordinality m (token, n)
join assessment_items i on i.assessment = p.code and i.position = m.n
window answered as (partition by p.id order by m.n);
delete from demo_save where choice = '-';

create temp table demo_event on commit drop as
select s.id, s.attempt, 'saved' as kind, coalesce(held.until_ms, s.at_ms + 350) as at_ms, 0 as heard_ms,
  jsonb_build_array(jsonb_build_array(s.item, s.choice, s.revision,
    s.at_ms - case when s.at_ms >= s.opened_ms then s.opened_ms else 0 end)) as detail,
  jsonb_build_array(jsonb_build_array(s.item, greatest(500, s.took_ms - gone.ms))) as dwell,
  false as strike, null::text as void
from demo_save s
left join lateral (select e.at * 1000 + 400 as until_ms from jsonb_to_recordset(s.events) e (kind text, at int, gone int)
  where e.kind = 'online' and s.at_ms between (e.at - e.gone) * 1000 and e.at * 1000) held on true
cross join lateral (select coalesce(sum(e.gone), 0) * 1000 as ms
  from jsonb_to_recordset(s.events) e (kind text, at int, gone int)
  where e.kind <> 'online' and e.at * 1000 > s.at_ms - s.took_ms and e.at * 1000 <= s.at_ms) gone
union all
select p.id, p.attempt, 'ready', ready.at_ms, 180, null, null, false, null
from demo_person p, lateral (values (900), (p.opened_ms + 700)) ready (at_ms)
where p.answers is not null and ready.at_ms is not null
union all
select p.id, p.attempt, 'submitted', p.ends * 1000, case p."by" when 'violations' then 181 else 0 end,
  jsonb_build_object('reason', coalesce(p."by", 'candidate')), null, false, null
from demo_person p where p.answers is not null
union all
select p.id, p.attempt, e.kind, e.at * 1000 + case e.kind when 'copy' then 4 else 0 end,
  coalesce(e.heard * 1000, case when e.kind in ('saved', 'taken_over') then 0 else 180 end),
  case e.kind
    when 'page_visible' then jsonb_build_object('awayMs', e.gone * 1000)
    when 'saved' then jsonb_build_array(jsonb_build_array(i.id, e.choice, 100, e.at * 1000))
    when 'late_answer' then jsonb_build_object('questionId', i.id, 'choice', e.choice, 'revision', 100)
    else e.detail end,
  null, coalesce(e.strike, false), e.void
from demo_person p
cross join lateral jsonb_to_recordset(p.events) e (kind text, at int, gone int, heard int, strike boolean,
  void text, detail jsonb, item int, choice text)
left join assessment_items i on i.assessment = p.code and i.position = e.item;

insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
select s.attempt, s.item, s.choice, s.revision, p.started + (s.at_ms + 350) * interval '1 ms'
from demo_save s join demo_person p on p.id = s.id;
-- An answer that changed after a return.
update attempt_answers x set choice = e.detail->0->>1, revision = 100, saved_at = p.started + e.at_ms * interval '1 ms'
from demo_event e join demo_person p on p.id = e.id
where e.kind = 'saved' and e.dwell is null and x.attempt_id = e.attempt and x.item_id = (e.detail->0->>0)::int;

-- Each window numbers what its page reports.
create temp table demo_numbered on commit drop as
select e.*, p.started, p.address, w.window_id,
  case when e.kind not in ('saved', 'submitted', 'taken_over', 'late_answer')
    then count(*) filter (where e.kind not in ('saved', 'submitted', 'taken_over', 'late_answer'))
      over (partition by w.window_id order by e.at_ms, e.kind) end as number
from demo_event e join demo_person p on p.id = e.id
cross join lateral (select case when e.at_ms >= p.opened_ms then p.second_window else p.first_window end as window_id) w;

insert into attempt_windows (attempt_id, window_id, opened_at, last_event, address, agent)
select p.attempt, w.id, p.started + w.opened_ms * interval '1 ms',
  (select coalesce(max(number), 0) from demo_numbered n where n.window_id = w.id), p.address, w.agent
from demo_person p cross join lateral (values
  (p.first_window, 0, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'),
  (p.second_window, p.opened_ms, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0')
) w (id, opened_ms, agent)
where p.answers is not null and w.id is not null;

-- Credentials are given before the start, and belong to no attempt.
insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail, dwell, is_violation,
  voided_at, void_reason, address, agent, received_at)
select e.id, e.attempt, e.kind, e.window_id, e.number, e.at_ms, e.detail, e.dwell, e.strike,
  case when e.void is not null then e.started + interval '1 day' end, e.void, e.address, w.agent, e.received
from (
  select id, attempt, kind, case when kind <> 'submitted' then window_id end as window_id, number, at_ms, detail, dwell,
    strike, void, address, started, started + (at_ms + heard_ms) * interval '1 ms' as received, window_id as shown
  from demo_numbered
  union all
  select p.id, case kind when 'started' then p.attempt end, kind, case kind when 'started' then p.first_window end, null,
    case kind when 'started' then 0 end, null, null, false, null, p.address, p.started,
    p.started - case kind when 'verified' then interval '95 seconds' else interval '0' end, p.first_window
  from demo_person p, (values ('verified'), ('started')) k (kind) where p.answers is not null
) e join attempt_windows w on w.window_id = e.shown
order by e.received, e.at_ms nulls first;

-- What reviewers decided on strikes, helpers wrote, and candidates told.
insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, decided_at)
select gen_random_uuid(), p.id, 'event:' || e.id, v.verdict->>0, v.verdict->>1, 'Iris Vaz (invented)',
  p.opens + interval '26 hours'
from demo_person p cross join lateral jsonb_array_elements(p.verdicts) with ordinality v (verdict, n)
join lateral (
  select id, row_number() over (order by id) as n from attempt_events where candidate_id = p.id and is_violation
) e on e.n = v.n;
insert into incident_reports (id, assessment, candidate_id, room, happened_at, note, reported_by, reported_at)
select gen_random_uuid(), a.code, c.id, r.room, a.opens_at + r.at * interval '1 second', r.note,
  'Dev Malik (invented)', a.opens_at + r.at * interval '1 second'
from (values (684, '2.11', null, 'Fire alarm. Everybody out and back.'),
  (990, null, 'chen.haddad', 'Battery gone; gave room computer 4.')) r (at, room, username, note)
join assessments a on a.code = 'DEMO_SPRING'
left join candidates c on c.assessment = a.code and c.username = r.username;
insert into attempt_comments (attempt_id, text, written_at)
select attempt, comment, started + ends * interval '1 second' + interval '2 hours' from demo_person
where comment is not null;
insert into result_lines (assessment, points, version, changed_by, changed_at)
select code, 23, 1, 'demo (invented)', opens_at + interval '8 hours' from assessments where code = 'DEMO_SPRING';

-- The log has what is stored with its time, as the pages would have noted it.
insert into admin_actions (at, actor, via, action, society_id, assessment, detail)
select done.at, done.actor, 'console', done.action, a.society_id, a.code, done.detail
from assessments a cross join lateral (
  select min(c.created_at) as at, 'Carla Dietz (invented)' as actor, 'add-candidates' as action,
    jsonb_build_object('added', count(*), 'unchanged', 0, 'mailed', 0) as detail
  from candidates c where c.assessment = a.code having count(*) > 0
  union all
  select v.changed_at, v.changed_by_name, 'save-question',
    jsonb_build_object('questionId', v.question_id, 'version', v.version, 'fields', '["options"]'::jsonb)
  from item_versions v where v.assessment = a.code and v.changed_by_name is not null
  union all
  select r.reported_at, r.reported_by, 'report-incident',
    jsonb_build_object('report', r.id, 'candidate', b.number, 'room', r.room, 'note', r.note)
  from incident_reports r left join blind_numbers b on b.candidate_id = r.candidate_id
  where r.assessment = a.code
  union all
  select e.voided_at, 'Iris Vaz (invented)', 'take-strikes-back',
    jsonb_build_object('usernames', jsonb_build_array(c.username), 'events', jsonb_build_array(e.id),
      'reason', e.void_reason)
  from attempt_events e join candidates c on c.id = e.candidate_id
  where c.assessment = a.code and e.voided_at is not null
  union all
  select v.decided_at, v.decided_by, 'decide-incident',
    jsonb_build_object('candidates', jsonb_build_array(b.number), 'incidents', jsonb_build_array(v.incident),
      'verdict', v.verdict, 'reason', v.reason)
  from incident_verdicts v join blind_numbers b on b.candidate_id = v.candidate_id
  where b.assessment = a.code
  union all
  select l.changed_at, l.changed_by, 'set-line', jsonb_build_object('before', null, 'after', l.points)
  from result_lines l where l.assessment = a.code
) done
where a.code like 'DEMO\_SPRING%'
order by done.at, done.action, done.detail::text;
