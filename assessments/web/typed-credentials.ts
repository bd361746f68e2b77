/** A society's credentials as somebody typed them. */
export interface TypedCredentials {
  username: string
  password: string
}

let typed: TypedCredentials | null = null

/** Keeps what was typed at the way in, until it is asked for again: in memory, as long as the page lives. */
export function keepTyped(credentials: TypedCredentials): void {
  typed = credentials
}

/** What was typed before, once. */
export function takeTyped(): TypedCredentials | null {
  const taken = typed
  typed = null
  return taken
}
