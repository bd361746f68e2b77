import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { CandidateFacts } from '../../contract/candidates.ts'
import { exemptionsOf } from '../../exemptions.ts'
import { act, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { readCandidates } from './list.ts'

const HEADER = [
  'name',
  'username',
  'email',
  'room',
  'extra_minutes',
  'exempt',
  'note',
  'password_by_mail',
  'tried_computer',
] as const

/**
 * Candidates as CSV, in the order of `ids`: data that is taken out, so it counts as an act (product 7.1.2).
 * Errors: OrganiserRefusal.
 */
export function exportCandidates(
  organiser: Organiser,
  societyId: string,
  code: string,
  ids: readonly string[],
): Promise<string> {
  return act(organiser, 'export-candidates', code, async (client) => {
    await requireAssessment(client, code)
    const byId = new Map(
      (await readCandidates(client, societyId, code)).map((one) => [one.id, one]),
    )
    const rows = ids.flatMap((id) => byId.get(id) ?? []).map(rowOf)
    return { result: writeCsv(HEADER, rows), detail: { candidates: rows.length } }
  })
}

function rowOf(one: CandidateFacts): unknown[] {
  return [
    one.name ?? '',
    one.username,
    one.email ?? '',
    one.room ?? '',
    one.extraSeconds / 60,
    exemptionsOf(one.exemptKinds)
      .map(({ short }) => short)
      .join(', '),
    one.note ?? '',
    one.mail?.state ?? 'not sent',
    one.triedAt ?? 'not tried',
  ]
}
