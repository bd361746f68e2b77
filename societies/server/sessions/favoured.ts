import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { getSessions } from '../../contract/sessions.ts'
import { difLetter, mantelHaenszel, matchedStrata } from '../../statistics/dif.ts'
import { mayBeSaid, whyHidden } from '../../statistics/what-may-be-said.ts'
import { type Group, marksOf, questionsOf, sharedQuestions } from './groups.ts'

type Favoured = ResponseOf<typeof getSessions>['favoured'][number]

/**
 * Questions that are harder for one of two groups than for equally able people of the other, among those that
 * all of both were asked (product 7.19.12). Groups are sessions, forms and rooms: what people are is not held.
 */
export function favouredBetween(
  kind: 'session' | 'form',
  reference: Group,
  focal: Group,
): Favoured {
  const { anchors } = sharedQuestions(reference, focal)
  const marks = [
    ...marksOf(
      reference,
      anchors.map(({ earlier }) => earlier),
    ),
    ...marksOf(
      focal,
      anchors.map(({ later }) => later),
    ),
  ]
  const isFocal = marks.map((_, at) => at >= reference.rows.length)
  const items = anchors.map(({ later }) => focal.items[later])
  return favoured({ kind, name: focal.name, items, marks, isFocal })
}

/** The same of each room against all others; rooms are named as the list has them. */
export function favouredRooms(group: Group): Favoured[] {
  const at = questionsOf(group)
  const marks = marksOf(group, at)
  const items = at.map((place) => group.items[place])
  const rooms = new Set(group.rows.flatMap(({ room }) => room ?? []))
  if (rooms.size < 2) return []
  return [...rooms].sort().map((room) =>
    favoured({
      ...{ kind: 'room', name: `Room ${room}`, items, marks },
      isFocal: group.rows.map((row) => row.room === room),
    }),
  )
}

function favoured({
  kind,
  name,
  items,
  marks,
  isFocal,
}: {
  kind: Favoured['group']
  name: string
  items: readonly (Group['items'][number] | undefined)[]
  marks: readonly (readonly number[])[]
  isFocal: readonly boolean[]
}): Favoured {
  const people = isFocal.filter(Boolean).length
  const smaller = Math.min(people, marks.length - people)
  const hidden = whyHidden('favoured-group', marks.length, smaller)
  const found = { group: kind, name, people, ofPeople: marks.length, whyHidden: hidden }
  if (mayBeSaid('favoured-group', marks.length, smaller) === 'hidden') {
    return { ...found, comparedCount: 0, questions: [] }
  }
  const totals = marks.map((row) => row.reduce((sum, mark) => sum + mark, 0))
  const compared = items.flatMap((item, at) => {
    const column = marks.map((row) => row[at] ?? 0)
    const result = mantelHaenszel(matchedStrata(column, totals, isFocal))
    return item && result ? [{ item, result, letter: difLetter(result) }] : []
  })
  return {
    ...found,
    comparedCount: compared.length,
    questions: compared.flatMap(({ item, result, letter }) =>
      letter === 'A'
        ? []
        : [{ number: item.position, question: item.question, letter, delta: result.delta }],
    ),
  }
}
