import { randomUUID } from 'node:crypto'
import { seededRandom } from '../../societies/statistics/distributions/seeded-random.ts'
import { DAY, makeAssessment } from './assessment-rig.ts'
import type { Rig } from './rig.ts'

/** How a crowd does, by the Rasch model. */
export interface Crowd {
  people: number
  seed: number
  /** how much easier the questions are that are not common, logits */
  easier?: number
  /** so many common questions are known to most */
  told?: number
  /** totals have little to do with the common questions */
  isLoose?: boolean
  /** on the common questions, logits */
  ability?: number
}

/** Marks of a crowd on so many common questions and others: 1 is right. */
export function crowdMarks(crowd: Crowd, common: number, others: number): number[][] {
  const { people, seed, easier = 0, told = 0, isLoose = false, ability = 0 } = crowd
  const random = seededRandom(seed)
  const bell = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const right = (theta: number, difficulty: number) =>
    +(random() < 1 / (1 + Math.exp(difficulty - theta)))
  return Array.from({ length: people }, () => {
    const theta = bell() * 1.2
    const onCommon = (isLoose ? bell() : theta) + ability
    return [
      ...Array.from({ length: common }, (_, at) =>
        at < told
          ? Math.max(right(onCommon, -0.9 + at / 5), +(random() < 0.8))
          : right(onCommon, -0.9 + at / 5),
      ),
      ...Array.from({ length: others }, (_, at) => right(theta, -1.4 + at / 7 - easier)),
    ]
  })
}

/** The questions of an assessment, in their order. */
export async function itemsOf(rig: Pick<Rig, 'db'>, code: string) {
  const { rows } = await rig.db.$client.query<{ id: number; key: string; form: string | null }>(
    'select id, correct_option as key, form from assessment_items where assessment = $1 order by position',
    [code],
  )
  return rows
}

/** An assessment of a season, whose first questions are those of another one. */
export async function makeSession(
  rig: Rig,
  societyId: string,
  more: { session: string; questions: number; from?: string; common?: number },
): Promise<string> {
  const { session, questions: itemCount, from, common = 0 } = more
  const { code } = await makeAssessment(rig, { societyId, session, itemCount })
  await rig.db.$client.query(`update assessments set season = 'Autumn' where code = $1`, [code])
  if (from) {
    await rig.db.$client.query(
      `update assessment_items mine set question_id = theirs.question_id, question = theirs.question
       from assessment_items theirs
       where mine.assessment = $1 and theirs.assessment = $2 and theirs.position = mine.position
         and mine.position <= $3`,
      [code, from, common],
    )
  }
  return code
}

/**
 * Stores a closed attempt for each row of marks: right ones have the key, wrong ones mostly the option behind
 * it. @param of.form whose questions the marks are of
 */
export async function storeSat(
  rig: Pick<Rig, 'db'>,
  code: string,
  marks: readonly (readonly number[])[],
  of: {
    form?: 'A' | 'B'
    startsAt?: Date
    room?: (at: number) => string | null
    address?: (at: number) => string
    name?: string
  } = {},
): Promise<string[]> {
  const { form = null, startsAt = DAY, room = () => null, name = 'sat' } = of
  const items = (await itemsOf(rig, code)).filter((one) => one.form === null || one.form === form)
  // Mostly the option behind the key, so that wrong answers agree as they do among people.
  const wrong = (key: string, at: number) =>
    'ABCDABC'['ABCD'.indexOf(key) + (at % 5 === 0 ? 2 : at % 7 === 0 ? 3 : 1)]
  const rows = marks.map((row, at) => ({
    ...{ id: randomUUID(), candidate: randomUUID(), room: room(at) },
    username: `${name}-${form ?? ''}${at}-${randomUUID().slice(0, 4)}`,
    address: of.address?.(at) ?? `198.51.100.${at % 250}`,
    answers: row.map((mark, n) => ({
      item: items[n]?.id,
      choice: mark === 1 ? items[n]?.key : wrong(items[n]?.key ?? 'A', at * 3 + n),
    })),
  }))
  const { $client } = rig.db
  const json = JSON.stringify(rows)
  await $client.query(
    `insert into candidates (id, assessment, username, room, password_hash, created_at)
     select candidate, $1, username, room, '\\x00', $2
     from jsonb_to_recordset($3) as made (candidate uuid, username text, room text)`,
    [code, DAY, json],
  )
  await $client.query(
    `insert into attempts (id, assessment, candidate_id, form, paper, started_at, deadline_at, submitted_at,
       submit_reason, closed_by_submit, window_id, is_demo)
     select id, $1, candidate, $2, $3, $4, $4::timestamptz + interval '30 min',
       $4::timestamptz + interval '20 min', 'candidate', true, 'w', false
     from jsonb_to_recordset($5) as made (id uuid, candidate uuid)`,
    [code, form, items.map(({ id }) => id), startsAt, json],
  )
  await $client.query(
    `insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
     select id, item, choice, 1, $1 from jsonb_to_recordset($2) as made (id uuid, answers jsonb),
       jsonb_to_recordset(answers) as given (item int, choice text)`,
    [startsAt, json],
  )
  await $client.query(
    `insert into attempt_windows (attempt_id, window_id, opened_at, last_event, address)
     select id, 'w', $1, 0, address from jsonb_to_recordset($2) as made (id uuid, address text)`,
    [startsAt, json],
  )
  return rows.map(({ candidate }) => candidate)
}
