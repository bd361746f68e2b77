import { countOf, type Row } from '../../checklist.ts'
import type { Client } from '../action.ts'
import { type About, stateOfRow } from './about.ts'

export interface RehearsalFacts {
  /** candidates who have tried their computer */
  checkedCount: number
  /** organisers who have tried the test with a demo candidate */
  triedCount: number
}

/** By code. Nothing is stored of rehearsals yet, so nobody has rehearsed. */
export async function readRehearsalFacts(
  _client: Client,
  _codes: readonly string[],
): Promise<Map<string, RehearsalFacts>> {
  return new Map()
}

export const NOT_REHEARSED: RehearsalFacts = { checkedCount: 0, triedCount: 0 }

/** Row 6 of the checklist (product 7.8.7). */
export function rehearsalRow(
  { checkedCount, triedCount }: RehearsalFacts,
  candidateCount: number,
  about: About,
): Row {
  const isDone = checkedCount + triedCount > 0
  return {
    state: stateOfRow(about, { isDone }),
    word: isDone ? 'Tried' : 'Not yet',
    finding: isDone
      ? `${countOf(triedCount, 'organiser has', 'organisers have')} tried it.`
      : 'Nobody has tried it yet.',
    rest:
      candidateCount > 0
        ? `Of the candidates ${checkedCount} of ${candidateCount} have tried their computer.`
        : 'Sit it once yourself, as a demo candidate.',
    missing: isDone ? null : 'Nobody has rehearsed yet.',
    link: { page: 'rehearsal', label: 'Start a rehearsal' },
  }
}
