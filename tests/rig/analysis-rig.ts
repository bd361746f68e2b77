import { randomUUID } from 'node:crypto'
import type { Role } from '../../societies/kit/roles.ts'
import { WORKED_ANSWERS, WORKED_KEY } from './answered.ts'
import { DAY, makeAssessment, makeCandidate } from './assessment-rig.ts'
import type { Rig } from './rig.ts'
import { callerOf, makeSociety } from './society-rig.ts'

/** The parts of a rig that are needed to store a closed test. The browser tests' product has them too. */
type SatRig = Pick<Rig, 'db'> & {
  clock: { now: Date }
  dependencies: Pick<Rig['dependencies'], 'secretKey'>
}

/** The key of `crowd`. */
export const CROWD_KEY = 'AAAAAAAAAA'

/**
 * Answers of candidates from strong to weak to ten questions with the key A. Stronger candidates have more of the first
 * ones correct. The last question's key is wrong: the strong ones choose B.
 */
export function crowd(people: number): string[] {
  return Array.from({ length: people }, (_, index) => {
    const strength = 1 - index / people
    const right = Array.from({ length: 9 }, (_, item) => {
      const isLucky = (index * 7 + item * 3) % 10 === 0
      return strength > item / 10 || isLucky ? 'A' : 'BCD'[(index + item) % 3]
    })
    return `${right.join('')}${strength > 0.45 ? 'B' : 'ACDA'[index % 4]}`
  })
}

/**
 * A closed test with this key and these answers ('-' for none) in its own society. The candidates are named c1, c2, …
 */
export async function makeSatTest(
  rig: SatRig,
  key: string = WORKED_KEY,
  answers: readonly string[] = WORKED_ANSWERS.split(' '),
) {
  rig.clock.now = DAY
  const society = (await makeSociety(rig as Rig)).id
  const { code, items } = await makeAssessment(rig as Rig, {
    ...{ societyId: society, itemCount: key.length },
    ...{ opensAt: new Date(DAY.getTime() - 7_200_000) },
    closesAt: new Date(DAY.getTime() - 3_600_000),
  })
  const ids = items.map(({ id }) => id)
  for (const [index, letter] of [...key].entries()) {
    await rig.db.$client.query('update assessment_items set correct_option = $2 where id = $1', [
      ids[index],
      letter,
    ])
  }
  const attempts: string[] = []
  for (const [index, chosen] of answers.entries()) {
    attempts.push(await sit(rig, code, ids, `c${index + 1}`, chosen))
  }
  return { society, code, ids, attempts }
}

/** Adds a candidate who took it. @returns the attempt's id */
export async function sit(
  rig: SatRig,
  code: string,
  ids: readonly number[],
  username: string,
  chosen: string,
  { isOpen = false } = {},
): Promise<string> {
  const { id: candidate } = await makeCandidate(rig as Rig, code, username)
  const id = randomUUID()
  await rig.db.$client.query(
    `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
       submit_reason, window_id, is_demo)
     values ($1, $2, $3, $4, $5::timestamptz - interval '2 hours', $5::timestamptz + interval '1 hour',
       case when not $6 then $5::timestamptz - interval '100 minutes' end,
       case when not $6 then 'candidate' end, 'w1', false)`,
    [id, code, candidate, ids, DAY, isOpen],
  )
  const answered = [...chosen].flatMap((choice, index) =>
    choice === '-' ? [] : [{ item: ids[index], choice }],
  )
  await rig.db.$client.query(
    `insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
     select $1, item, choice, 1, $3 from jsonb_to_recordset($2) as made (item int, choice text)`,
    [id, JSON.stringify(answered), DAY],
  )
  return id
}

/** A member of the society with this role, and their calls about the test. */
export async function memberOfTest(
  rig: Rig,
  { society, code }: { society: string; code: string },
  role: Role,
) {
  const call = await callerOf(rig, society, role, {}, `/assessments/${code}`)
  return {
    ...{ email: call.email as string, userId: call.userId },
    get: (route: string) => call('GET', route),
    post: (route: string, body?: unknown) => call('POST', route, body),
  }
}

/** All candidates' totals from the results, c1 first. */
export async function totalsOf(rig: Rig, code: string): Promise<number[]> {
  const { rows } = await rig.db.$client.query<{ correct: number }>(
    `select correct from assessment_results where assessment = $1 order by substr("user", 2)::int`,
    [code],
  )
  return rows.map(({ correct }) => correct)
}
