import type { Client } from '../action.ts'

/**
 * Notes in the log what the invented people of the demo season did, as the pages would have noted it: one line for
 * each thing that is stored with its time, the earliest first, so that it is chained in its order (product 7.20.2).
 */
export async function storeLog(client: Client, codes: readonly string[]): Promise<void> {
  await client.query(
    `insert into admin_actions (at, actor, via, action, society_id, assessment, detail)
     select done.at, done.actor, 'console', done.action, a.society_id, a.code, done.detail
     from assessments a cross join lateral (
       select min(c.created_at) as at, 'Carla Dietz (invented)' as actor, 'add-candidates' as action,
         jsonb_build_object('added', count(*), 'unchanged', 0, 'mailed', 0) as detail
       from candidates c where c.assessment = a.code having count(*) > 0
       union all
       select v.changed_at, v.changed_by_name, 'save-question',
         jsonb_build_object('questionId', v.question_id, 'version', v.version, 'fields',
           '["options"]'::jsonb)
       from item_versions v where v.assessment = a.code and v.changed_by_name is not null
       union all
       select r.reported_at, r.reported_by, 'report-incident',
         jsonb_build_object('report', r.id, 'candidate', b.number, 'room', r.room, 'note', r.note)
       from incident_reports r left join blind_numbers b on b.candidate_id = r.candidate_id
       where r.assessment = a.code
       union all
       select e.voided_at, 'Iris Vaz (invented)', 'void-event',
         jsonb_build_object('username', c.username, 'event', e.id, 'kind', e.kind, 'reason', e.void_reason)
       from attempt_events e join candidates c on c.id = e.candidate_id
       where c.assessment = a.code and e.voided_at is not null
       union all
       select v.decided_at, v.decided_by, 'decide-incident',
         jsonb_build_object('candidate', b.number, 'incident', v.incident, 'verdict', v.verdict,
           'reason', v.reason)
       from incident_verdicts v join blind_numbers b on b.candidate_id = v.candidate_id
       where b.assessment = a.code
       union all
       select l.changed_at, l.changed_by, 'set-line',
         jsonb_build_object('before', null, 'after', l.points)
       from result_lines l where l.assessment = a.code
     ) done
     where a.code = any ($1)
     order by done.at, done.action, done.detail::text`,
    [codes],
  )
}
