/** What candidate and organizer call an attempt: the first 8 of its id. */
export function referenceOf(attempt: { id: string }): string {
  return attempt.id.slice(0, 8)
}

/** What a session is called beside others of its society (product 6.1.8). */
export function sessionName(session: string | null): string {
  return session ?? 'Main'
}

/** 'NAME - Morning' (product 6.1.3). */
export function labelOf({ society, session }: { society: string; session: string | null }): string {
  return session ? `${society} - ${session}` : society
}
