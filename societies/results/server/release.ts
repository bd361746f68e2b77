import sql, { raw } from 'sql-template-tag'
import type { readReleasedResult } from '../../../assessments/contract.ts'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import type { TokenHolder } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest, OrganizerInTest } from '../../access/server/serve-members.ts'
import type { MailLimits } from '../../candidates/server/credentials.ts'
import { isFinished } from '../../incidents/server/answer-table.ts'
import { countUndecided } from '../../incidents/server/undecided.ts'
import { act, type Client, requireReason } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type * as contract from '../contract.ts'
import { obstaclesOf } from '../obstacles.ts'
import { readLine } from './line.ts'
import { queueResultMails } from './result-mail.ts'
import { formScores, readObstacles, requireOver } from './scores.ts'

type Release = Sendable<ResponseOf<typeof contract.withdrawRelease>>

const RELEASE = `released_at as "releasedAt", released_by as "releasedBy", words,
  tells_line as "tellsLine", withdrawn_at as "withdrawnAt"`

export async function readRelease(client: Client, code: string): Promise<Release | null> {
  const { rows } = await client.query<Release>(
    sql`select ${raw(RELEASE)} from result_releases where assessment = ${code}`,
  )
  return rows[0] ?? null
}

/**
 * Releases the results to candidates (product 7.17.12, 7.17.13). It stores each score's margin, so reading a result
 * takes one row. Errors: 409 already_released, results_not_ready, line_not_fixed; release_hindered with the
 * obstacles.
 */
export function releaseResults(
  organizer: MemberInTest,
  { words: written, tellsLine, sendsEmails, reason }: BodyOf<typeof contract.releaseResults>,
  limits: MailLimits,
): Promise<Release & { emails: number }> {
  const { code, now, actor } = organizer
  return act(organizer, 'release-results', code, async (client) => {
    await requireAssessment(client, organizer, 'change')
    const standing = await readRelease(client, code)
    if (standing && !standing.withdrawnAt) {
      throw refuse(409, 'already_released', 'The results are already released.')
    }
    const table = await requireOver(client, code, now)
    const line = await readLine(client, code)
    if (tellsLine && !line?.fixedAt) {
      throw refuse(409, 'line_not_fixed', 'Lock the cut score first.')
    }
    const forms = await formScores(table)
    const undecided = await countUndecided(client, code)
    const obstacles = await readObstacles(client, code, { table, forms, line, undecided })
    const hindrance = obstaclesOf(obstacles, line?.points ?? null)
      .flatMap(({ sentence, isTold }) => (isTold ? [] : sentence))
      .join(' ')
    if (hindrance && !reason) {
      const sentence = `${hindrance} Settle this first, or give a reason to release the results anyway.`
      throw refuse(409, 'release_hindered', sentence, { obstacles })
    }
    const errors = Object.fromEntries(
      forms.flatMap(({ form, scores, margin }) =>
        margin === null ? [] : [[form ?? '', Array(scores.items.length + 1).fill(margin)]],
      ),
    )
    const words = written.normalize('NFC').trim()
    const { rows } = await client.query<Release>(
      sql`insert into result_releases (assessment, released_at, released_by, words, tells_line, errors)
       values (${code}, ${now}, ${actor}, ${words}, ${tellsLine}, ${JSON.stringify(errors)})
       on conflict (assessment) do update set released_at = excluded.released_at,
         released_by = excluded.released_by, words = excluded.words,
         tells_line = excluded.tells_line, errors = excluded.errors, withdrawn_at = null
       returning ${raw(RELEASE)}`,
    )
    const emails = sendsEmails ? await queueResultMails(client, organizer, limits) : 0
    const { keys, incidents, lateAnswers } = obstacles
    const unsettled = { keys: keys.map(({ position }) => position), incidents, lateAnswers }
    return {
      result: { ...(rows[0] as Release), emails },
      detail: {
        candidates: table.rows.length,
        tellsLine,
        words,
        ...(emails > 0 && { emails }),
        ...(hindrance ? { obstacles: unsettled, reason } : {}),
      },
    }
  })
}

/** Withdraws the release: candidates can no longer read their results. Errors: 409 not_released. */
export function withdrawRelease(organizer: OrganizerInTest, reason: string): Promise<Release> {
  const { code, now } = organizer
  return act(organizer, 'withdraw-release', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, organizer, 'change')
    const { rows } = await client.query<Release>(
      sql`update result_releases set withdrawn_at = ${now}
       where assessment = ${code} and withdrawn_at is null returning ${raw(RELEASE)}`,
    )
    if (!rows[0]) throw refuse(409, 'not_released', 'The results are not released.')
    return { result: rows[0], detail: { reason: why } }
  })
}

type ReleasedResult = NonNullable<ResponseOf<typeof readReleasedResult>['result']>

/**
 * Reads a candidate's own result with current keys and answers. It is null without a release (product 7.17.13), and
 * while another candidate who could learn from it can start or is taking the test again. Access belongs to the
 * account that took the test, and to sessions that entered the candidate's username and password.
 */
export async function readReleased(
  { db, now }: Pick<AppDependencies, 'db' | 'now'>,
  { id: userId, sessionId }: TokenHolder,
  reference: string,
): Promise<ReleasedResult | null> {
  const { rows } = await db.$client.query<ReleasedResult>({
    name: 'released-result',
    text: `select s.society, g.correct as right, g.correct + g.incorrect as items,
        (rel.errors->coalesce(a.form, '')->>g.correct)::int as error,
        case when rel.tells_line then l.points::float8 end as line, rel.words,
        (select count(distinct r.item_id)::int from standing_rulings r where r.item_id = any (a.paper))
          as corrected,
        (select coalesce(sum(x.correct_after - x.correct_before), 0)::int from ruling_results x
          join standing_rulings r on r.id = x.ruling_id where x.attempt_id = a.id) as change
      from attempts a
      join assessments s on s.code = a.assessment and s.deleted_at is null
      join result_releases rel on rel.assessment = a.assessment and rel.withdrawn_at is null
      join assessment_results g on g.attempt_id = a.id
      left join result_lines l on l.assessment = a.assessment
      where a.id in (
          select t.id from attempts t where t.user_id = $1
          union all select t.id from candidate_tokens k
          join candidates c on c.id = k.candidate_id and c.revoked_at is null
          join attempts t on t.candidate_id = c.id where k.user_id = $1 and k.session_id = $4)
        and left(a.id::text, 8) = $2 and a.submitted_at is not null and not a.is_demo
        and ${isFinished('s', '$3')}
      order by a.started_at desc limit 1`,
    values: [userId, reference, now(), sessionId],
  })
  return rows[0] ?? null
}
