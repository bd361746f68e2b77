import type { KeyValueStore } from '../../../platform/web/storage.ts'

/** The verified candidate and assessment in this tab (product 6.2.4). */
export interface Candidate {
  /** PCF, ESFS_MORNING, ESFS_AFTERNOON, or another society's. */
  code: string
  username: string
  token: string
}

const ASSOCIATION_KEY = 'recruitment_association'
/** pcf_username, esfs_morning_username and esfs_afternoon_username (product 6.1.7). */
const usernameKey = (code: string) => `${code.toLowerCase()}_username`
const tokenKey = (code: string) => `${code.toLowerCase()}_candidate_token`

export function storeCandidate(store: KeyValueStore, candidate: Candidate): void {
  store.set(usernameKey(candidate.code), candidate.username)
  store.set(tokenKey(candidate.code), candidate.token)
  store.set(ASSOCIATION_KEY, candidate.code)
}

/** This tab's candidate. Null without an association, a username or a token. */
export function readCandidate(store: KeyValueStore): Candidate | null {
  const code = store.get(ASSOCIATION_KEY)
  const username = code && store.get(usernameKey(code))
  const token = code && store.get(tokenKey(code))
  return code && username && token ? { code, username, token } : null
}

/** Whether the username is still stored at the submit (product 6.9.5). */
export function hasUsername(store: KeyValueStore, code: string): boolean {
  return Boolean(store.get(usernameKey(code)))
}

/** Deletes the entries after the submit (product 6.10.5). */
export function forgetCandidate(store: KeyValueStore, code: string): void {
  store.remove(usernameKey(code))
  store.remove(tokenKey(code))
  store.remove(ASSOCIATION_KEY)
}

export interface TypedCredentials {
  username: string
  password: string
}

let typed: TypedCredentials | null = null

/** Keeps credentials typed at the guest limit in memory, until they are needed again. */
export function keepTyped(credentials: TypedCredentials): void {
  typed = credentials
}

/** Returns the typed credentials once. */
export function takeTyped(): TypedCredentials | null {
  const taken = typed
  typed = null
  return taken
}
