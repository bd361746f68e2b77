import { randomUUID } from 'node:crypto'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { DAY, makeAssessment } from './assessment-rig.ts'
import type { Rig } from './rig.ts'

const HOUR_MS = 3_600_000

/**
 * Makes a closed test with its answers, by SQL. Later people have more right answers, so scores vary and questions
 * correlate.
 */
export async function closedSession(
  rig: Pick<Rig, 'db'>,
  options: {
    societyId: string
    season: string
    people: number
    opensAt?: Date
    session?: string
  },
) {
  const { people, opensAt = DAY } = options
  const { code, items } = await makeAssessment(rig, {
    ...{ societyId: options.societyId, society: 'Finance Society', itemCount: 12 },
    ...{ session: options.session ?? null, opensAt },
    closesAt: new Date(opensAt.getTime() + HOUR_MS),
  })
  const sql = (text: string, values: unknown[]) => rig.db.$client.query(text, values)
  await sql('update assessments set season = $2 where code = $1', [code, options.season])
  const seats = Array.from({ length: people }, (_, n) => ({
    ...{ candidate: randomUUID(), attempt: randomUUID(), n },
    ...{ username: `person-${n}@${code.toLowerCase()}.example`, name: `Cara Person-${n}` },
  }))
  await sql(
    `insert into candidates (id, assessment, username, name, email, room, password_hash, created_at)
     select candidate, $1, username, name, username, 'Aula Magna', '\\x00', $2
     from jsonb_to_recordset($3) as s (candidate uuid, username text, name text)`,
    [code, DAY, JSON.stringify(seats)],
  )
  await sql(
    `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
       submit_reason, closed_by_submit, window_id, is_demo)
     select attempt, $1, candidate, $2, $3, $3::timestamptz + interval '20 minutes',
       $3::timestamptz + interval '15 minutes', 'candidate', true, 'w', false
     from jsonb_to_recordset($4) as s (attempt uuid, candidate uuid)`,
    [code, items.map(({ id }) => id), opensAt, JSON.stringify(seats)],
  )
  const answers = seats.flatMap(({ attempt, n }) =>
    items.map(({ id, correctOption }, at) => {
      const ability = n / people + (((n * 7 + at * 5) % 11) - 5) / 40
      const isRight = ability > (at + 0.5) / items.length
      const wrong = OPTION_LETTERS[(OPTION_LETTERS.indexOf(correctOption) + 1) % 4]
      return { attempt, item: id, choice: isRight ? correctOption : wrong }
    }),
  )
  await sql(
    `insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
     select attempt, item, choice, 1, $1 from jsonb_to_recordset($2) as s (attempt uuid, item int, choice text)`,
    // Not faster than people can read.
    [new Date(opensAt.getTime() + 600_000), JSON.stringify(answers)],
  )
  return {
    code,
    candidates: seats.map(({ candidate }) => candidate),
    attempts: seats.map(({ attempt }) => attempt),
    /** Rules on the question with index `at`. The ruling changes `changed` results. @returns its id */
    async rulingOn(
      at: number,
      kind: 'replace' | 'accept' | 'void',
      reason: string,
      changed: number,
    ): Promise<number> {
      const { rows: made } = await sql(
        `insert into item_rulings (item_id, kind, accepted_option, reason, made_by, created_at)
         values ($1, $2, $3, $4, 'ana', $5) returning id`,
        [items[at]?.id, kind, kind === 'void' ? null : 'D', reason, DAY],
      )
      const id = made[0]?.id as number
      await sql(
        `insert into ruling_results (ruling_id, attempt_id, correct_before, incorrect_before, correct_after,
           incorrect_after)
         select $1, a.id, 5, 7, case when row_number() over (order by a.id) <= $3 then 6 else 5 end,
           case when row_number() over (order by a.id) <= $3 then 6 else 7 end
         from attempts a where a.assessment = $2`,
        [id, code, changed],
      )
      return id
    },
  }
}

/** Releases the results of an assessment, by SQL. */
export async function release(rig: Pick<Rig, 'db'>, code: string): Promise<void> {
  await rig.db.$client.query(
    `insert into result_releases (assessment, released_at, released_by, words) values ($1, $2, 'ana', '')`,
    [code, DAY],
  )
}
