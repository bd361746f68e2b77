import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { type CandidateFacts, staleCandidate } from '../../contract/candidates.ts'
import { EXEMPTIONS } from '../../exemptions.ts'
import { describeDuration } from '../../minutes.ts'

/** What an organiser may change of a candidate. */
export type Fields = Pick<
  CandidateFacts,
  'name' | 'email' | 'room' | 'note' | 'extraSeconds' | 'exemptKinds'
>

/** What this form holds of a candidate; nothing typed is nothing. */
export function fieldsOf({ name, email, room, note, extraSeconds, exemptKinds }: Fields): Fields {
  return { name, email, room, note, extraSeconds, exemptKinds }
}

/** What stands now, where the server says that another has changed it. */
export const staleOf = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'stale'
    ? (staleCandidate.safeParse(error.details).data ?? null)
    : null

export const FIELD_NAMES: Readonly<Record<keyof Fields, string>> = {
  name: 'Name',
  email: 'Address',
  room: 'Room',
  note: 'Note for the team',
  extraSeconds: 'Planned extra time',
  exemptKinds: 'Not counted',
}

/** A field as a person reads it beside another's. */
export function fieldWords(fields: Fields, field: keyof Fields): string {
  if (field === 'extraSeconds') return describeDuration(fields.extraSeconds)
  if (field !== 'exemptKinds') return fields[field] || 'nothing'
  const exempt = EXEMPTIONS.filter(({ kinds }) =>
    kinds.some((kind) => fields.exemptKinds.includes(kind)),
  )
  return exempt.map(({ label }) => label).join(' · ') || 'nothing'
}
