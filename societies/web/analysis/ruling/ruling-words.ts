import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { countOf } from '../../../../platform/words.ts'
import type { getRulingPreview, PastRuling, ShownConsequences } from '../../../contract/analysis.ts'
import type { SentRuling } from '../../../ruling.ts'

export type RulingPreview = ResponseOf<typeof getRulingPreview>

type Kind = ShownConsequences['kind']

/** 'Replace the key: C instead of A' and what that means, for the row of a ruling. */
export function rulingWords(
  { kind, option, questions, up }: ShownConsequences,
  { keys, key, isVoid, isFullMarks }: RulingPreview,
): { name: string; meaning: string } {
  const now = keys.join(' or ')
  switch (kind) {
    case null:
      return {
        name: isVoid
          ? 'Leave it: the question is left out'
          : isFullMarks
            ? 'Leave it: everybody has the point'
            : `Leave it: ${now} is the key`,
        meaning: '',
      }
    case 'replace':
      return {
        name: `Replace the key: ${option} instead of ${key}`,
        meaning: `who chose ${key} loses the point`,
      }
    case 'accept':
      return { name: `Accept ${option} as well as ${now}`, meaning: `nobody loses, ${up} gain` }
    case 'void':
      return {
        name: 'Leave the question out',
        meaning: `${countOf(questions, 'question counts', 'questions count')}`,
      }
    case 'full_marks':
      return {
        name: 'Give everybody the point',
        meaning: `${countOf(questions, 'question counts', 'questions count')}, this one for all`,
      }
  }
}

/** What the button does, with its number. */
export function actWords(
  { kind, option, up, down }: ShownConsequences,
  isProposal: boolean,
): string {
  const act = {
    replace: 'Replace the key',
    accept: `Accept ${option} as well`,
    void: 'Leave the question out',
    full_marks: 'Give everybody the point',
  }[kind ?? 'void']
  if (isProposal) return `Propose: ${act.charAt(0).toLowerCase()}${act.slice(1)}`
  return `${act}: ${countOf(up + down, 'result changes', 'results change')}`
}

/** '63 up, 42 down'; empty where nobody moves. */
export const upDown = (up: number, down: number): string =>
  [up > 0 && `${up} up`, down > 0 && `${down} down`].filter(Boolean).join(', ')

/** '4 in, 3 out' */
export const inOut = (inside: number, outside: number): string =>
  [inside > 0 && `${inside} in`, outside > 0 && `${outside} out`].filter(Boolean).join(', ')

/** '15 places' and 'down, 11 up' */
export function moveWords({ largestRise, largestFall }: ShownConsequences): [string, string] {
  const most = Math.max(largestRise, largestFall)
  if (most === 0) return ['–', '']
  const isDown = largestFall >= largestRise
  const other = Math.min(largestRise, largestFall)
  return [
    countOf(most, 'place'),
    `${isDown ? 'down' : 'up'}${other > 0 ? `, ${other} ${isDown ? 'up' : 'down'}` : ''}`,
  ]
}

/** 'C instead of the key', as something that was ruled or proposed. */
export function pastWords({ kind, option }: Pick<PastRuling, 'kind' | 'option'>): string {
  switch (kind) {
    case 'accept':
      return `${option} accepted as well`
    case 'replace':
      return `${option} is the key instead`
    case 'void':
      return 'The question was left out'
    case 'full_marks':
      return 'Everybody was given the point'
  }
}

/** A ruling of the page as the call takes it; null: leave it. */
export function sentOf(kind: Kind, option: ShownConsequences['option']): SentRuling | null {
  if (kind === null) return null
  if (kind === 'accept' || kind === 'replace') return option ? { kind, option } : null
  return { kind, option: null }
}
