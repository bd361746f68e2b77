/** How long password or second factor, shown once, count as shown just now (product 2.10.8). */
const FRESH_PROOF_MS = 5 * 60_000

/** Whether the proof of a session is of the last five minutes. @param provenAt null for none */
export const isFreshProof = (provenAt: Date | null, now: Date): boolean =>
  provenAt !== null && now.getTime() - provenAt.getTime() < FRESH_PROOF_MS

/** How long a session is an organiser's after its proof, and without a call as one (product 7.13.4). */
const ORGANISER_SESSION_MS = 12 * 3_600_000
const ORGANISER_IDLE_MS = 30 * 60_000
/** The last call is stored once a minute, so the idle time may be told late by this, never early. */
export const ORGANISER_CALL_STORED_EVERY_MS = 60_000

/** Whether a session is over for organisers' calls; before the first of them (organiserAt) nothing is idle. */
export function isOrganiserSessionOver(
  { provenAt, organiserAt }: { provenAt: Date | null; organiserAt: Date | null },
  now: Date,
): boolean {
  if (!provenAt || now.getTime() - provenAt.getTime() >= ORGANISER_SESSION_MS) return true
  if (!organiserAt) return false
  const idleMs = now.getTime() - organiserAt.getTime()
  return idleMs >= ORGANISER_IDLE_MS + ORGANISER_CALL_STORED_EVERY_MS
}

/** Whether a proof still opens keys, by the last call that read some: as long as one goes on (product 7.13.9). */
export const areKeysOpen = (keysAt: Date | null, now: Date): boolean =>
  keysAt !== null &&
  now.getTime() - keysAt.getTime() < ORGANISER_IDLE_MS + ORGANISER_CALL_STORED_EVERY_MS
