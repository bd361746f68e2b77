import { ApiError } from '../../../platform/server/api.ts'
import type { Client } from '../action.ts'
import { countAttempts, getAssessment } from '../assessments.ts'

/** An assessment of a society. */
export interface OfSociety {
  code: string
  societyId: string
}

/**
 * An assessment whose questions can be added to or replaced: of the society, not deleted, no sample, and
 * nobody has started it (product 7.2.2).
 * @param lock 'replace' keeps candidates from starting meanwhile
 * Errors: 404 no_such_assessment; 409 is_sample, has_attempts.
 */
export async function requireChangeable(
  client: Client,
  { code, societyId }: OfSociety,
  lock: 'none' | 'replace' = 'none',
): Promise<void> {
  const row = await getAssessment(client, code, lock)
  if (!row || row.societyId !== societyId || row.deletedAt) {
    throw new ApiError(404, 'no_such_assessment', 'There is no such assessment any more.')
  }
  if (row.isSample) {
    throw new ApiError(
      409,
      'is_sample',
      'This is one of Superday’s samples, whose keys everyone can read. Import into a test of your own.',
    )
  }
  const attempts = await countAttempts(client, code)
  if (attempts > 0) {
    const started = attempts === 1 ? 'One candidate has' : `${attempts} candidates have`
    throw new ApiError(
      409,
      'has_attempts',
      `${started} started already, so the questions stay as they are. A wrong key is ruled on under Analysis.`,
    )
  }
}
