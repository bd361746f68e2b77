import type { Client } from '../action.ts'
import { countAttempts, getAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'

/** An assessment of a society. */
export interface OfSociety {
  code: string
  societyId: string
}

/**
 * An assessment whose questions can be added to or replaced: of the society, not deleted, no sample, and
 * nobody has started it (product 7.2.2).
 * @param lock 'replace' keeps candidates from starting meanwhile
 * Errors: OrganiserRefusal: no_such_assessment, is_sample, has_attempts.
 */
export async function requireChangeable(
  client: Client,
  { code, societyId }: OfSociety,
  lock: 'none' | 'replace' = 'none',
): Promise<void> {
  const row = await getAssessment(client, code, lock)
  if (!row || row.societyId !== societyId || row.deletedAt) {
    throw new OrganiserRefusal('no_such_assessment', { assessment: code, known: [] })
  }
  if (row.isSample) throw new OrganiserRefusal('is_sample', { assessment: code })
  const attempts = await countAttempts(client, code)
  if (attempts > 0) throw new OrganiserRefusal('has_attempts', { assessment: code, attempts })
}
