import type { BodyOf } from '../../../platform/endpoint.ts'
import type { ApiError } from '../../../platform/server/api.ts'
import { countOf } from '../../../platform/words.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { comparePair, countedItems, PAIR_NEEDS } from '../../kit/statistics/pair.ts'
import type { Responses } from '../../kit/statistics/responses.ts'
import type { compareCandidates } from '../contract.ts'
import { type AnswerTable, readAnswerTable, type TableRow } from './answer-table.ts'
import { eachForm, responsesOf } from './sat.ts'

/** Tells whether two candidates can be compared, before the member writes a reason. This isn't logged. */
export function readComparable(member: MemberInTest): Promise<{ refusal: string | null }> {
  return read(member, async (client) => {
    const refusal = await refusalOf(await readAnswerTable(client, member.code))
    return { refusal: refusal?.message ?? null }
  })
}

/** With two forms, the smaller one must be large enough. */
async function refusalOf(table: AnswerTable): Promise<ApiError | null> {
  if (table.openCount > 0) {
    const sentence =
      'Some candidates are still taking the test. Compare answers when all have finished.'
    return refuse(409, 'still_inside', sentence)
  }
  const forms = await eachForm(table)
  const people = Math.min(...forms.map(({ rows }) => rows.length))
  const questions = Math.min(...forms.map(({ responses }) => countedItems(responses).length))
  if (Math.min(people, questions) >= PAIR_NEEDS) return null
  const needed = `Comparing needs at least ${PAIR_NEEDS} finished candidates and ${PAIR_NEEDS} questions.`
  const found = `Here ${countOf(people, 'candidate has', 'candidates have')} finished, and ${countOf(questions, 'question counts', 'questions count')}.`
  return refuse(409, 'too_few', `${needed} ${found}`)
}

/**
 * Calculates how far the answers of two candidates agree, and logs it (product 7.16.15).
 * Errors: 400 mixed_pair, same_candidate; 404 not_found for a candidate who has not finished; 409 still_inside,
 * too_few, also if two forms have too few questions in common.
 */
export async function compareTwo(
  member: MemberInTest,
  { first, second, reason }: BodyOf<typeof compareCandidates>,
) {
  const { code } = member
  // Check this before any lookup. Otherwise 'same_candidate' would reveal which number belongs to a name.
  if ('listed' in first !== 'listed' in second) {
    throw refuse(400, 'mixed_pair', 'Choose both candidates by name, or both by number.')
  }
  const ids = [first, second].map((one) => ('listed' in one ? one.listed : one.candidate))
  if (ids[0] === ids[1]) {
    throw refuse(400, 'same_candidate', 'Choose two different candidates.')
  }
  const { table, people } = await read(member, async (client) => {
    const { rows } = await client.query<{ id: string; username: string }>(
      'select id, username from candidates where assessment = $1 and id = any ($2::uuid[])',
      [code, ids],
    )
    return { table: await readAnswerTable(client, code), people: rows }
  })
  const refusal = await refusalOf(table)
  if (refusal) throw refusal
  const rowOf = (id: string | undefined): TableRow => {
    const row = table.rows.find(({ candidateId }) => candidateId === id)
    if (!row) throw refuse(404, 'not_found', 'This candidate has not finished the test.')
    return row
  }
  const pair = [rowOf(ids[0]), rowOf(ids[1])] as const
  const { rows, responses } = await groupOf(table, pair)
  const found = comparePair(responses, [rows.indexOf(pair[0]), rows.indexOf(pair[1])])
  const byName = [first, second].map((one) => 'listed' in one)
  return act(member, 'compare-candidates', code, async () => ({
    result: { people: rows.length, ...found },
    detail: {
      usernames: ids
        .filter((_, at) => byName[at])
        .map((picked) => people.find(({ id }) => id === picked)?.username),
      numbers: pair.filter((_, at) => !byName[at]).map(({ number }) => number),
      reason,
    },
  }))
}

/** Returns candidates with the same questions, or with two forms, all by their common questions. */
async function groupOf(
  table: AnswerTable,
  pair: readonly TableRow[],
): Promise<{ rows: readonly TableRow[]; responses: Responses }> {
  const form = (await eachForm(table)).find(({ rows }) => pair.every((row) => rows.includes(row)))
  if (form) return form
  const common = table.items.flatMap((item, at) => (item.form === null ? [at] : []))
  const responses = await responsesOf(table.items, table.rows, common)
  const count = countedItems(responses).length
  if (count < PAIR_NEEDS) {
    const sentence = `These two had different forms with ${count} questions in common. Comparing needs ${PAIR_NEEDS}.`
    throw refuse(409, 'too_few', sentence)
  }
  return { rows: table.rows, responses }
}
