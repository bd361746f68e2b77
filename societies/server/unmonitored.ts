import type { Client } from './action.ts'

/** A window that saved or handed in without being watched: 'cheated = false' says nothing about it. */
export interface Gap {
  attemptId: string
  windowId: string
  /** it saved, and never reported that it was watching */
  isSilent: boolean
  /** how many of its numbered events never came in */
  missing: number
}

/** How a window was not watched. */
export function describeGap({ isSilent, missing }: Pick<Gap, 'isSilent' | 'missing'>): string {
  if (isSilent) return 'a window answered without ever reporting that it was watched'
  return missing === 1
    ? 'one event of a window never came in'
    : `${missing} events of a window never came in`
}

/**
 * Windows that saved or handed in without the opening `ready` event, or whose events have a gap up to the last
 * number that they are known to have used (product 6.8.12).
 * @param candidateId of one candidate; null for all of the assessment
 */
export async function readGaps(
  client: Client,
  code: string,
  candidateId: string | null = null,
): Promise<Gap[]> {
  const { rows } = await client.query<Gap>(
    `select w.attempt_id as "attemptId", w.window_id as "windowId", not seen.has_ready as "isSilent",
       greatest(w.last_event, seen.highest) - seen.numbers as missing
     from attempt_windows w
     join attempts a on a.id = w.attempt_id
     cross join lateral (
       select coalesce(bool_or(e.kind = 'ready'), false) as has_ready,
         coalesce(bool_or(e.kind = 'saved'), false) as has_saved,
         count(e.number)::int as numbers, coalesce(max(e.number), 0) as highest
       from attempt_events e where e.attempt_id = w.attempt_id and e.window_id = w.window_id
     ) seen
     where a.assessment = $1 and ($2::uuid is null or a.candidate_id = $2)
       and (seen.has_saved or w.last_event > 0)
       and (not seen.has_ready or greatest(w.last_event, seen.highest) > seen.numbers)
     order by w.opened_at`,
    [code, candidateId],
  )
  return rows
}
