import { act, type Organiser } from '../action.ts'
import { readBank } from './read-questions.ts'
import { contentOf, lockForWriting, type Place, readStored } from './stored.ts'
import { insert, requireRoom } from './write-questions.ts'

/**
 * Adds copies of the society's questions behind those that are there, in the order in which they are named
 * (product 7.9.14). A copy is the same question: it keeps its version, and how it does is found under both.
 * @returns how many were added; what is there already, or not the member's to see, is left out
 * Errors: ApiError of lockForWriting; 409 too_many_questions.
 */
export function takeFromBank(
  organiser: Organiser & { userId: string },
  place: Place,
  questionIds: readonly string[],
): Promise<number> {
  return act(organiser, 'take-questions', place.code, async (client) => {
    const { isSample } = await lockForWriting(client, place)
    const found = await readBank(client, place, organiser, questionIds)
    const byId = new Map(found.map((one) => [one.questionId, one]))
    const taken = [...new Set(questionIds)].flatMap((id) => byId.get(id) ?? [])
    const { length } = await readStored(client, place)
    requireRoom(length + taken.length)
    for (const [index, one] of taken.entries()) {
      const { questionId, version } = one
      const position = length + index + 1
      await insert(client, place.code, {
        // Which form asks it is a matter of the other test.
        ...{ questionId, version, content: contentOf(one), position, isSample, form: null },
      })
    }
    const from = [...new Set(taken.map(({ code }) => code))]
    return { result: taken.length, detail: { added: taken.length, from } }
  })
}
