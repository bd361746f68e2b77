import type { CandidateFacts } from '../../contract/candidates.ts'

/** What an organiser may change of a candidate. */
export type Fields = Pick<
  CandidateFacts,
  'name' | 'email' | 'room' | 'note' | 'extraSeconds' | 'exemptKinds'
>

/** What this form holds of a candidate; nothing typed is nothing. */
export function fieldsOf({ name, email, room, note, extraSeconds, exemptKinds }: Fields): Fields {
  return { name, email, room, note, extraSeconds, exemptKinds }
}
