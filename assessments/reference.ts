/** What candidate and organiser call an attempt: the first 8 of its id. */
export function referenceOf(attempt: { id: string }): string {
  return attempt.id.slice(0, 8)
}

/** 'NAME - Morning' (product 6.1.3). */
export function labelOf({ society, session }: { society: string; session: string | null }): string {
  return session ? `${society} - ${session}` : society
}
