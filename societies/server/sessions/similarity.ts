import type { ResponseOf } from '../../../platform/endpoint.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { checkAllPairs, checkPair, listSimilarityChecks } from '../../contract/sessions.ts'
import { FORMS } from '../../questions/two-forms.ts'
import {
  compareNamedPair,
  comparePairsInSlices,
  linkedPairs,
  type PairAgreement,
  SIMILARITY_ALPHA,
  SIMILARITY_NEEDS,
  type SimilarityModel,
  similarityModel,
} from '../../statistics/similarity/pairs.ts'
import { mayBeSaid, whyHidden } from '../../statistics/what-may-be-said.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import { responsesOf } from '../analysis/sat.ts'
import { type AnswerTable, readAnswerTable, type TableRow } from '../results/answer-table.ts'
import { isRight } from './groups.ts'
import { inSlices } from './in-slices.ts'

// Answers of two candidates that agree (product 7.19.13 to 7.19.19): a pair that somebody named, or the few that
// stand out among all. It is asked for with a reason that is kept before any figure is seen, shows numbers and no
// names, orders nothing and decides nothing.

type Checks = ResponseOf<typeof listSimilarityChecks>
type Check = Checks['checks'][number]
type ShownPair = ResponseOf<typeof checkPair>['pair']
type Member = Organiser & { userId: string }

/** Candidates who answered the same questions, of which pairs are compared. */
interface Compared {
  rows: readonly TableRow[]
  /** places in the table of the questions that they were all asked */
  at: readonly number[]
}

/** Of a test in two forms each form by itself: who was asked other questions cannot have copied their answers. */
function groupsOf({ items, rows }: AnswerTable): Compared[] {
  const isAsked = (form: 'A' | 'B' | null) =>
    items.flatMap((item, at) => (item.form === null || item.form === form ? [at] : []))
  if (rows.every(({ form }) => form === null)) return [{ rows, at: isAsked(null) }]
  return FORMS.map((form) => ({ rows: rows.filter((row) => row.form === form), at: isAsked(form) }))
}

const modelOf = ({ items }: AnswerTable, { rows, at }: Compared): SimilarityModel =>
  similarityModel(responsesOf(items, rows, at))

const counted = ({ items }: AnswerTable, { at }: Compared) =>
  at.filter((place) => !items[place]?.isVoid && !items[place]?.isFullMarks).length

/** The smallest group, and its questions: what the rule on sizes looks at. */
function sizeOf(table: AnswerTable): { people: number; questions: number } {
  const groups = groupsOf(table)
  return {
    people: Math.min(...groups.map(({ rows }) => rows.length)),
    questions: Math.min(...groups.map((group) => counted(table, group))),
  }
}

function lockOf(table: AnswerTable): Checks['lock'] {
  const { people, questions } = sizeOf(table)
  if (table.openCount > 0) return 'still_inside'
  if (people < SIMILARITY_NEEDS.people) return 'too_few_people'
  return questions < SIMILARITY_NEEDS.items ? 'too_few_questions' : null
}

const LOCKED: Readonly<Record<NonNullable<Checks['lock']>, string>> = {
  still_inside: 'Somebody is still inside. Answers are compared when everybody is done.',
  too_few_people: `Pairs are compared from ${SIMILARITY_NEEDS.people} candidates on, of each form.`,
  too_few_questions: `Pairs are compared from ${SIMILARITY_NEEDS.items} questions on.`,
}

/** Errors: 409 still_inside, too_few_people, too_few_questions. */
function requireEnough(table: AnswerTable): void {
  const lock = lockOf(table)
  if (lock) throw new ApiError(409, lock, LOCKED[lock])
}

/** What may be compared, who asked before and why. No figure is in it. */
export function readSimilarity(member: Member, code: string): Promise<Checks> {
  return read(member, async (client) => {
    const table = await readAnswerTable(client, code)
    const numbers = new Map(table.rows.map(({ candidateId, number }) => [candidateId, number]))
    const { rows } = await client.query<{
      id: string
      reason: string
      askedBy: string
      askedAt: Date
      firstId: string | null
      secondId: string | null
    }>(
      `select id, reason, asked_by as "askedBy", asked_at as "askedAt", first_id as "firstId",
         second_id as "secondId"
       from similarity_checks where assessment = $1 order by asked_at desc, id limit 100`,
      [code],
    )
    return {
      ...sizeOf(table),
      lock: lockOf(table),
      linked: await readLinked(client, code, table),
      checks: rows.map(({ firstId, secondId, askedAt, ...check }) => {
        const [first, second] = [firstId, secondId].map((id) => (id ? (numbers.get(id) ?? 0) : 0))
        return {
          ...{ ...check, askedAt: askedAt.toISOString() },
          asked: firstId ? inOrder(first ?? 0, second ?? 0) : null,
        }
      }),
    }
  })
}

const inOrder = (one: number, other: number) => ({
  first: Math.min(one, other),
  second: Math.max(one, other),
})

/** Who sat at one address in the same minutes; a lecture hall's links nobody (product 7.19.18). */
async function readLinked(client: Client, code: string, { rows }: AnswerTable) {
  const places = new Map(rows.map(({ attemptId }, at) => [attemptId, at]))
  const { rows: windows } = await client.query<{
    attemptId: string
    address: string
    from: Date
    to: Date
  }>(
    `select w.attempt_id as "attemptId", w.address, min(w.opened_at) as from, t.submitted_at as to
     from attempts t join attempt_windows w on w.attempt_id = t.id
     where t.assessment = $1 and not t.is_demo and t.submitted_at is not null and w.address is not null
     group by w.attempt_id, w.address, t.submitted_at order by w.attempt_id, w.address`,
    [code],
  )
  const sittings = windows.flatMap(({ attemptId, address, from, to }) => {
    const candidate = places.get(attemptId)
    return candidate === undefined
      ? []
      : [{ candidate, address, fromMs: from.getTime(), toMs: to.getTime() }]
  })
  return linkedPairs(sittings).map(([one, other]) =>
    inOrder(rows[one]?.number ?? 0, rows[other]?.number ?? 0),
  )
}

/**
 * Compares a pair that is named by blind numbers, with a reason that is kept first (product 7.19.15).
 * Errors: 404 no_such_number, 400 same_number; 409 of requireEnough; 409 other_questions for two forms with
 * fewer than 20 questions in common; 409 other_check for an id that is another's.
 */
export async function compareNumbers(
  member: Member,
  code: string,
  asked: { id: string; first: number; second: number; reason: string },
): Promise<ResponseOf<typeof checkPair>> {
  const table = await read(member, (client) => readAnswerTable(client, code))
  const [one, other] = [asked.first, asked.second].map((number) =>
    table.rows.find((row) => row.number === number),
  )
  if (!one || !other) {
    throw new ApiError(404, 'no_such_number', 'Nobody who is done has one of these numbers.')
  }
  if (one === other) throw new ApiError(400, 'same_number', 'Please name two candidates.')
  requireEnough(table)
  const group = groupOfPair(table, one, other)
  const check = await keepCheck(member, code, asked, [one, other])
  const model = modelOf(table, group)
  const pair = [group.rows.indexOf(one), group.rows.indexOf(other)] as const
  const found = compareNamedPair(model, pair, asked.reason)
  if ('refused' in found) throw new ApiError(409, 'too_few_people', LOCKED.too_few_people)
  return { check, pair: shown(table, group, found) }
}

/** Who was asked the same as both; of two forms, what they have in common. */
function groupOfPair(table: AnswerTable, one: TableRow, other: TableRow): Compared {
  const group = groupsOf(table).find(({ rows }) => rows.includes(one) && rows.includes(other))
  if (group) return group
  const common = table.items.flatMap(({ form }, at) => (form === null ? [at] : []))
  const all = { rows: table.rows, at: common }
  if (counted(table, all) < SIMILARITY_NEEDS.items) {
    throw new ApiError(
      409,
      'other_questions',
      `These two had different forms, with ${counted(table, all)} questions in common; ${SIMILARITY_NEEDS.items} are needed.`,
    )
  }
  return all
}

/**
 * Lists the pairs that stand out among all, by a limit that all pairs share (product 7.19.16). It takes half a
 * second for 300 candidates, in slices.
 * Errors: 409 of requireEnough, 409 too_few_people below what a list takes, 409 other_check.
 */
export async function compareAll(
  member: Member,
  code: string,
  asked: { id: string; reason: string },
): Promise<ResponseOf<typeof checkAllPairs>> {
  const table = await read(member, (client) => readAnswerTable(client, code))
  requireEnough(table)
  const people = table.rows.length
  if (mayBeSaid('similarity-of-all-pairs', people) === 'hidden') {
    const why = whyHidden('similarity-of-all-pairs', people) ?? ''
    throw new ApiError(409, 'too_few_people', `A list of all pairs is no help yet. ${why}`)
  }
  const check = await keepCheck(member, code, asked, null)
  const groups = groupsOf(table)
  const listed: ShownPair[] = []
  let pairs = 0
  let expectedByChance = 0
  for (const group of groups) {
    const alpha = SIMILARITY_ALPHA.allPairs / groups.length
    const found = await inSlices(comparePairsInSlices(modelOf(table, group), alpha))
    if ('refused' in found) throw new ApiError(409, 'too_few_people', LOCKED.too_few_people)
    pairs += found.pairs
    expectedByChance += found.expectedByChance
    listed.push(...found.listed.map((pair) => shown(table, group, pair)))
  }
  listed.sort((a, b) => a.first - b.first || a.second - b.second)
  return { check, pairs, expectedByChance, listed }
}

/**
 * Keeps who asked and why, and notes it, before anything is computed. The same id again is the same check.
 * Errors: 409 other_check.
 */
async function keepCheck(
  member: Member,
  code: string,
  { id, reason }: { id: string; reason: string },
  pair: readonly [TableRow, TableRow] | null,
): Promise<Check> {
  const ids = pair?.map(({ candidateId }) => candidateId) ?? [null, null]
  const { rows } = await member.db.$client.query<{
    reason: string
    askedBy: string
    askedAt: Date
  }>(
    `select reason, asked_by as "askedBy", asked_at as "askedAt" from similarity_checks
     where id = $1 and assessment = $2 and first_id is not distinct from $3
       and second_id is not distinct from $4`,
    [id, code, ...ids],
  )
  const [kept] = rows
  const asked = pair ? inOrder(pair[0].number, pair[1].number) : null
  if (kept) return { id, ...kept, askedAt: kept.askedAt.toISOString(), asked }
  return act(member, 'check-similarity', code, async (client) => {
    const { rowCount } = await client.query(
      `insert into similarity_checks (id, assessment, first_id, second_id, reason, asked_by, asked_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [id, code, ...ids, reason, member.actor, member.now],
    )
    if (rowCount === 0) {
      throw new ApiError(409, 'other_check', 'This comparison was asked for already.')
    }
    return {
      result: { id, reason, askedBy: member.actor, askedAt: member.now.toISOString(), asked },
      detail: { pair: asked ?? 'all', reason },
    }
  })
}

/** How improbable agreement is told at most: beyond it the model says nothing. */
const RAREST = 1e-12

function shown({ items }: AnswerTable, { rows, at }: Compared, found: PairAgreement): ShownPair {
  const pair = found.pair.map((index) => rows[index] as TableRow)
  const [one, other] = pair.toSorted((a, b) => a.number - b.number) as [TableRow, TableRow]
  return {
    ...{ first: one.number, second: other.number, standsOut: found.standsOut },
    ...{ answered: found.answered, identical: found.identical, expected: found.expected },
    onceIn: 1 / Math.max(RAREST, found.p),
    identicalWrong: at.flatMap((place) => {
      const item = items[place]
      const choice = one.choices[place]
      if (!item || !choice || item.isVoid || choice !== other.choices[place]) return []
      if (isRight(item, choice)) return []
      const { position, question, options } = item
      return [{ number: position, question, option: choice, text: options[choice] }]
    }),
  }
}
