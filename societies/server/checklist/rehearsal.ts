import { TROUBLES } from '../../../assessments/rehearsal.ts'
import type { Row } from '../../checklist.ts'
import { countOf, numberWord } from '../../number-words.ts'
import type { Client } from '../action.ts'
import { type About, stateOfRow } from './about.ts'

export interface RehearsalFacts {
  /** candidates who have tried their computer */
  checkedCount: number
  /** of those, whose computer has something to fix */
  toFixCount: number
  /** members of the society who have rehearsed */
  triedCount: number
}

/** By code. A helper's rehearsal is one for the whole society. */
export async function readRehearsalFacts(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, RehearsalFacts>> {
  const { rows } = await client.query<RehearsalFacts & { code: string }>(
    `select a.code,
       (select count(*)::int from device_checks d join candidates c on c.id = d.candidate_id
        where c.assessment = a.code and not c.is_demo and c.revoked_at is null) as "checkedCount",
       (select count(*)::int from device_checks d join candidates c on c.id = d.candidate_id
        where c.assessment = a.code and not c.is_demo and c.revoked_at is null
          and d.troubles && $2::text[]) as "toFixCount",
       (select count(*)::int from device_checks d where d.society_id = a.society_id
          and d.candidate_id is null) as "triedCount"
     from assessments a where a.code = any($1::text[])`,
    [codes, TROUBLES],
  )
  return new Map(rows.map(({ code, ...facts }) => [code, facts]))
}

export const NOT_REHEARSED: RehearsalFacts = { checkedCount: 0, toFixCount: 0, triedCount: 0 }

/** Row 6 of the checklist (product 7.8.7). */
export function rehearsalRow(
  { checkedCount, toFixCount, triedCount }: RehearsalFacts,
  candidateCount: number,
  about: About,
): Row {
  const isDone = checkedCount + triedCount > 0
  return {
    state: stateOfRow(about, { isDone }),
    word: isDone ? 'Tried' : 'Not yet',
    finding: isDone
      ? triedCount > 0
        ? `${countOf(triedCount, 'organiser has', 'organisers have')} tried it.`
        : `${countOf(checkedCount, 'candidate has', 'candidates have')} tried it.`
      : 'Nobody has tried it yet.',
    rest:
      candidateCount > 0
        ? `${checkedCount} of ${candidateCount} candidates have tried their computer.${toFixCount > 0 ? ` ${numberWord(toFixCount)} ${toFixCount === 1 ? 'has' : 'have'} something to fix.` : ''}`
        : 'Try it once on your own computer.',
    missing: isDone ? null : 'Nobody has rehearsed yet.',
    link:
      isDone && candidateCount > 0
        ? { page: 'candidates', label: 'See who' }
        : { page: '', label: 'Open the checklist' },
  }
}
