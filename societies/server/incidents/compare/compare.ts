import type { BodyOf, ResponseOf } from '../../../../platform/endpoint.ts'
import { ApiError } from '../../../../platform/server/api.ts'
import type { compareCandidates, getComparable } from '../../../contract/compare.ts'
import { countOf } from '../../../number-words.ts'
import { comparePair, countedItems, PAIR_NEEDS } from '../../../statistics/pair.ts'
import type { Responses } from '../../../statistics/responses.ts'
import { act, type Organiser, read } from '../../action.ts'
import { eachForm, responsesOf } from '../../analysis/sat.ts'
import { type AnswerTable, readAnswerTable, type TableRow } from '../../results/answer-table.ts'

/** Whether the answers of two candidates can be compared, before anybody writes a reason. Leaves no note. */
export function readComparable(
  member: Organiser,
  code: string,
): Promise<ResponseOf<typeof getComparable>> {
  return read(member, async (client) => {
    const refusal = refusalOf(await readAnswerTable(client, code))
    return { refusal: refusal?.message ?? null }
  })
}

/** Of two forms the smaller one decides. */
function refusalOf(table: AnswerTable): ApiError | null {
  if (table.openCount > 0) {
    const text =
      'Some candidates are still taking the test. Compare answers when all have finished.'
    return new ApiError(409, 'still_inside', text)
  }
  const forms = eachForm(table)
  const people = Math.min(...forms.map(({ rows }) => rows.length))
  const questions = Math.min(...forms.map(({ responses }) => countedItems(responses).length))
  if (Math.min(people, questions) >= PAIR_NEEDS) return null
  const needed = `Comparing takes at least ${PAIR_NEEDS} candidates who finished and ${PAIR_NEEDS} questions.`
  const found = `Here ${countOf(people, 'candidate has', 'candidates have')} finished, and ${countOf(questions, 'question counts', 'questions count')}.`
  return new ApiError(409, 'too_few', `${needed} ${found}`)
}

/**
 * How far the answers of two candidates agree (product 7.16.15). There is no figure without its line in the log.
 * Errors: 400 same_candidate; 404 not_found for somebody who has not finished; 409 still_inside, too_few, also where
 * two forms have too few questions in common.
 */
export async function compareTwo(
  member: Organiser,
  code: string,
  { first, second, reason }: BodyOf<typeof compareCandidates>,
): Promise<ResponseOf<typeof compareCandidates>> {
  if (first.id === second.id) {
    throw new ApiError(400, 'same_candidate', 'Choose two different candidates.')
  }
  const { table, usernames } = await read(member, async (client) => {
    const { rows } = await client.query<{ id: string; username: string }>(
      'select id, username from candidates where assessment = $1 and id = any ($2::uuid[])',
      [code, [first.id, second.id]],
    )
    const names = new Map(rows.map(({ id, username }) => [id, username]))
    return { table: await readAnswerTable(client, code), usernames: names }
  })
  const refusal = refusalOf(table)
  if (refusal) throw refusal
  const pair = [first, second].map(({ id, by }) => {
    const row = table.rows.find(({ candidateId }) => candidateId === id)
    if (!row) throw new ApiError(404, 'not_found', 'This candidate has not finished the test.')
    return { row, by }
  })
  const { rows, responses } = groupOf(
    table,
    pair.map(({ row }) => row),
  )
  const [one = -1, other = -1] = pair.map(({ row }) => rows.indexOf(row))
  const found = comparePair(responses, [one, other])
  const called = (how: 'name' | 'number') => pair.filter(({ by }) => by === how)
  return act(member, 'compare-candidates', code, async () => ({
    result: { people: rows.length, ...found },
    detail: {
      usernames: called('name').map(({ row }) => usernames.get(row.candidateId)),
      numbers: called('number').map(({ row }) => row.number),
      reason,
    },
  }))
}

/** Those who were asked the same as both; of two forms, all with what the forms have in common. */
function groupOf(
  table: AnswerTable,
  pair: readonly TableRow[],
): { rows: readonly TableRow[]; responses: Responses } {
  const form = eachForm(table).find(({ rows }) => pair.every((row) => rows.includes(row)))
  if (form) return form
  const common = table.items.flatMap((item, at) => (item.form === null ? [at] : []))
  const responses = responsesOf(table.items, table.rows, common)
  const count = countedItems(responses).length
  if (count < PAIR_NEEDS) {
    throw new ApiError(
      409,
      'too_few',
      `These two had different forms with ${count} questions in common. Comparing takes ${PAIR_NEEDS}.`,
    )
  }
  return { rows: table.rows, responses }
}
