import type { Obstacles, Release } from '../../contract/results.ts'
import { act, type Client, type Organiser, requireReason } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { countUndecided } from '../incidents/undecided.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { readAnswerTable } from './answer-table.ts'
import { formScores } from './form-scores.ts'
import { readLine } from './line.ts'
import { readObstacles, stateOf } from './obstacles.ts'

/** The newest release; null where there never was one. */
export async function readRelease(client: Client, code: string): Promise<Release | null> {
  const { rows } = await client.query<
    Omit<Release, 'releasedAt' | 'withdrawnAt'> & { releasedAt: Date; withdrawnAt: Date | null }
  >(
    `select released_at as "releasedAt", released_by as "releasedBy", words,
       tells_line as "tellsLine", withdrawn_at as "withdrawnAt"
     from result_releases where assessment = $1`,
    [code],
  )
  const [row] = rows
  return row
    ? {
        ...row,
        releasedAt: row.releasedAt.toISOString(),
        withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
      }
    : null
}

/**
 * Lets each candidate read the own result from now on (product 7.17.12, 7.17.13). What the errors of scores are
 * is kept as it is now, so that who reads costs one row.
 * Errors: OrganiserRefusal: somebody is inside or can start, keys, incidents or late
 * answers are open and no reason says why that does not matter, the line is told and not fixed.
 */
export function releaseResults(
  organiser: Organiser,
  code: string,
  given: { words: string; tellsLine: boolean; reason?: string },
): Promise<Release> {
  return act(organiser, 'release-results', code, async (client) => {
    const assessment = await requireAssessment(client, code, 'change')
    const standing = await readRelease(client, code)
    if (standing && !standing.withdrawnAt) throw new OrganiserRefusal('already_released', {})
    const table = await readAnswerTable(client, code)
    const state = stateOf(assessment, table, organiser.now)
    if (state !== 'over') throw new OrganiserRefusal('results_not_ready', { state })
    const line = await readLine(client, code)
    if (given.tellsLine && !line?.fixedAt) throw new OrganiserRefusal('line_not_fixed', {})
    const forms = formScores(table)
    const undecided = await countUndecided(client, code)
    const obstacles = await readObstacles(client, code, {
      ...{ table, forms, undecided, line: line?.points ?? null },
    })
    const reason = given.reason?.trim() || null
    if (reason === null && isHindered(obstacles)) {
      throw new OrganiserRefusal('release_hindered', { obstacles })
    }
    const errors = Object.fromEntries(
      forms.flatMap((one) => (one.errors ? [[one.form ?? '', one.errors]] : [])),
    )
    const words = given.words.normalize('NFC').trim()
    await client.query(
      `insert into result_releases (assessment, released_at, released_by, words, tells_line, errors)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (assessment) do update set released_at = excluded.released_at,
         released_by = excluded.released_by, words = excluded.words,
         tells_line = excluded.tells_line, errors = excluded.errors, withdrawn_at = null`,
      [...[code, organiser.now, organiser.actor, words, given.tellsLine], JSON.stringify(errors)],
    )
    return {
      result: (await readRelease(client, code)) as Release,
      detail: {
        ...{ candidates: table.rows.length, tellsLine: given.tellsLine, words },
        ...(isHindered(obstacles) ? { obstacles: summarise(obstacles), reason } : {}),
      },
    }
  })
}

const isHindered = ({ keys, incidents, lateAnswers }: Obstacles) =>
  keys.length + incidents + lateAnswers > 0

const summarise = ({ keys, incidents, lateAnswers }: Obstacles) => ({
  ...{ keys: keys.map(({ position }) => position), incidents, lateAnswers },
})

/**
 * Takes the release back: candidates read nothing any more.
 * Errors: OrganiserRefusal where nothing is released, or without a reason.
 */
export function withdrawRelease(
  organiser: Organiser,
  code: string,
  reason: string,
): Promise<Release> {
  return act(organiser, 'withdraw-release', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code, 'change')
    const { rowCount } = await client.query(
      'update result_releases set withdrawn_at = $2 where assessment = $1 and withdrawn_at is null',
      [code, organiser.now],
    )
    if (rowCount === 0) throw new OrganiserRefusal('not_released', {})
    return { result: (await readRelease(client, code)) as Release, detail: { reason: why } }
  })
}
