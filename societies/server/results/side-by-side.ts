import sql from 'sql-template-tag'
import type { SideBySide } from '../../contract/results.ts'
import { may, ROLES } from '../../roles.ts'
import { SHARES_FROM } from '../../statistics/sample-size.ts'
import type { Client, Organiser } from '../action.ts'
import { IS_CANDIDATE, inForce, REACHES } from '../team/guard.ts'

const SEES_SCORES = ROLES.filter((role) => may(role, 'see_scores') === 'all')

/**
 * Scores of the test's forms, and of the others of its season that are over, next to each other; of those as far as
 * the member sees scores there and is no candidate of it (product 7.17.14). Empty where there is one group.
 */
export async function readSideBySide(
  client: Client,
  { userId, now }: Pick<Organiser, 'userId' | 'now'>,
  code: string,
): Promise<SideBySide[]> {
  const member = userId ?? null
  const { rows } = await client.query<
    Omit<SideBySide, 'middle'> & { mean: number; quartiles: [number, number, number] }
  >(
    sql`select a.code, coalesce(a.session, a.code) as name, t.form, count(*)::int as people,
       max(g.correct + g.incorrect)::int as questions, avg(g.correct)::float8 as mean,
       percentile_cont(array[0.25, 0.5, 0.75]) within group (order by g.correct) as quartiles
     from assessments this
     join assessments a on a.code = this.code
       or a.society_id = this.society_id and a.season = this.season and a.deleted_at is null
         and not a.is_draft and (a.closes_at is null or a.closes_at <= ${now})
         and not exists (select from attempts o
           where o.assessment = a.code and not o.is_demo and o.submitted_at is null)
         and exists (select from memberships m where m.user_id = ${member} and ${inForce(now)} and ${REACHES}
           and m.role = any(${SEES_SCORES}::text[]))
         and not exists (select from users u where u.id = ${member} and ${IS_CANDIDATE})
     join attempts t on t.assessment = a.code and not t.is_demo and t.submitted_at is not null
     join assessment_results g on g.attempt_id = t.id
     where this.code = ${code}
     group by a.code, a.session, t.form order by min(t.started_at), a.code, t.form`,
  )
  if (rows.length < 2) return []
  return rows.map(({ mean, quartiles: [low, median, high], ...group }) => ({
    ...group,
    middle: group.people < SHARES_FROM ? null : { mean, median, low, high },
  }))
}
