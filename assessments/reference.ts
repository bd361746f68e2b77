/** The reference that candidates and organizers use for an attempt: the first 8 characters of its id. */
export function referenceOf(attempt: { id: string }): string {
  return attempt.id.slice(0, 8)
}

/** A session's name when it is listed with the society's other sessions (product 6.1.8). */
export function sessionName(session: string | null): string {
  return session ?? 'Main'
}

/** Formats 'NAME - Morning' (product 6.1.3). */
export function labelOf({ society, session }: { society: string; session: string | null }): string {
  return session ? `${society} - ${session}` : society
}
