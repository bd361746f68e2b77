import { randomUUID } from 'node:crypto'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { hashCandidatePassword } from '../../assessments/server/password-store.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import type { Role } from '../../societies/kit/roles.ts'
import { DAY, freshPulse, makeAssessment, PASSWORD } from './assessment-rig.ts'
import type { Rig } from './rig.ts'
import { callerOf, makeSociety } from './society-rig.ts'

/** When these tests were taken, and when their results are viewed. */
const STARTED = new Date(DAY.getTime() + 60_000)
const CLOSED = new Date(DAY.getTime() + 3_600_000)
export const AFTER = new Date(DAY.getTime() + 5 * 3_600_000)

export interface Sat {
  id: string
  username: string
  attemptId: string
  reference: string
}

/**
 * Creates a society with a closed test. Each number adds a candidate with that many correct answers, to the first
 * questions.
 * @param options.userIds accounts of the first candidates
 */
export async function satTest(
  rig: Rig,
  rights: readonly number[],
  options: { itemCount?: number; userIds?: string[] } = {},
) {
  rig.clock.now = AFTER
  await freshPulse(rig)
  const society = await makeSociety(rig)
  const { code, items } = await makeAssessment(rig, {
    ...{ societyId: society.id, itemCount: options.itemCount ?? 4 },
    ...{ opensAt: DAY, closesAt: CLOSED, session: 'Morning' },
  })
  const people = rights.map((right, at) => {
    const attempt = randomUUID()
    return {
      ...{ candidate: randomUUID(), attempt, username: `sat.${at}`, name: `Name ${at} Surname` },
      ...{ email: `sat${at}@student.example`, account: options.userIds?.[at] ?? null, right },
      submitted: new Date(STARTED.getTime() + 600_000 + at * 1_000),
    }
  })
  const sql = (text: string, values: unknown[]) => rig.db.$client.query(text, values)
  await sql(
    `insert into candidates (id, assessment, username, name, email, room, password_hash, created_at)
     select candidate, $1, username, name, email, 'Room 2.11', $2, $3
     from jsonb_to_recordset($4) as s (candidate uuid, username text, name text, email text)`,
    [
      code,
      hashCandidatePassword(rig.dependencies.secretKey, PASSWORD),
      DAY,
      JSON.stringify(people),
    ],
  )
  await sql(
    `insert into attempts (id, assessment, candidate_id, user_id, paper, started_at, deadline_at,
       submitted_at, submit_reason, closed_by_submit, window_id, is_demo)
     select attempt, $1, candidate, account, $2, $3, $4, submitted, 'candidate', true, 'w', false
     from jsonb_to_recordset($5) as s (attempt uuid, candidate uuid, account uuid, submitted timestamptz)`,
    [
      ...[code, items.map(({ id }) => id), STARTED, new Date(STARTED.getTime() + 1_200_000)],
      JSON.stringify(people),
    ],
  )
  const answers = people.flatMap(({ attempt, right }) =>
    items.map(({ id, correctOption }, index) => {
      const wrong = OPTION_LETTERS[(OPTION_LETTERS.indexOf(correctOption as 'A') + 1) % 4]
      return { attempt, item: id, choice: index < right ? correctOption : wrong }
    }),
  )
  await sql(
    `insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
     select attempt, item, choice, 1, $1
     from jsonb_to_recordset($2) as s (attempt uuid, item int, choice text)`,
    [new Date(STARTED.getTime() + 500_000), JSON.stringify(answers)],
  )
  const sat: Sat[] = people.map(({ candidate, attempt, username }) => ({
    ...{ id: candidate, username, attemptId: attempt, reference: attempt.slice(0, 8) },
  }))
  const member = (role: Role) => callerOf(rig, society.id, role, {}, `/assessments/${code}/results`)
  return { society, code, items, sat, member }
}

/** Six people with each score from 0 to 4 out of four: KR-20 is .8 and the standard error .643. */
export const SIX_OF_EACH = [0, 1, 2, 3, 4].flatMap((right) => Array(6).fill(right) as number[])

/** A late answer that would count, because the service was away when it was due. */
export async function answerLate(rig: Rig, { id, attemptId }: Sat, itemId: number): Promise<void> {
  const away = new Date(STARTED.getTime() + 590_000)
  await rig.db.$client.query(`insert into service_outages (started_at, ended_at) values ($1, $2)`, [
    away,
    new Date(STARTED.getTime() + 1_300_000),
  ])
  await rig.db.$client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, at_ms, received_at, detail)
     values ($1, $2, 'late_answer', 595000, $3, $4)`,
    [
      ...[id, attemptId, new Date(STARTED.getTime() + 1_400_000)],
      JSON.stringify({ questionId: itemId, choice: 'D', revision: 9 }),
    ],
  )
}

/** A report about a candidate that waits for a decision, by SQL. @returns the incident's name */
export async function reportIncident(rig: Rig, code: string, candidate: string | undefined) {
  const id = randomUUID()
  await rig.sql`insert into incident_reports
      (id, assessment, candidate_id, happened_at, note, reported_by, reported_at)
    values (${id}, ${code}, ${candidate}, ${rig.clock.now}, 'Whispered.', 'Ben', ${rig.clock.now})`
  return `report:${id}`
}

/** A verdict on an incident, by SQL. */
export const decide = (
  rig: Rig,
  candidate: string | undefined,
  incident: string,
  verdict: 'cleared' | 'upheld' | 'needs_talk',
  reason = 'Why.',
) =>
  rig.sql`insert into incident_verdicts
      (id, candidate_id, incident, verdict, reason, decided_by, decided_at)
    values (${randomUUID()}, ${candidate}, ${incident}, ${verdict}, ${reason}, 'Ben', ${rig.clock.now})`

/** All words of a PDF, on one line. */
export async function pdfText(pdf: Uint8Array | string): Promise<string> {
  const read = await getDocument({ data: Uint8Array.from(pdf as Uint8Array), verbosity: 0 }).promise
  const pages = Array.from({ length: read.numPages }, async (_, at) => {
    const { items } = await (await read.getPage(at + 1)).getTextContent()
    return items.map((item) => ('str' in item ? item.str : '')).join(' ')
  })
  return (await Promise.all(pages)).join('\n').replace(/\s+/g, ' ')
}

/** Every key, text and number of a response, at any depth. */
export function valuesOf(value: unknown): unknown[] {
  return value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...valuesOf(inner)])
    : [value]
}
