/** How long password or second factor count as recent (product 2.10.8). */
const FRESH_PROOF_MS = 5 * 60_000

/** Whether a session was proven in the last five minutes. @param provenAt null for none */
export const isFreshProof = (provenAt: Date | null, now: Date): boolean =>
  provenAt !== null && now.getTime() - provenAt.getTime() < FRESH_PROOF_MS

/** How long a session works for organizers after its proof, and how long without a call (product 7.13.4). */
const ORGANIZER_SESSION_MS = 12 * 3_600_000
const ORGANIZER_IDLE_MS = 30 * 60_000
/** The last call is stored once a minute, so idle sessions may end late by this, never early. */
export const ORGANIZER_CALL_STORED_EVERY_MS = 60_000

/** Whether a session is over for organizers' calls. Before their first call (organizerAt) it can't be idle. */
export function isOrganizerSessionOver(
  { provenAt, organizerAt }: { provenAt: Date | null; organizerAt: Date | null },
  now: Date,
): boolean {
  if (!provenAt || now.getTime() - provenAt.getTime() >= ORGANIZER_SESSION_MS) return true
  if (!organizerAt) return false
  const idleMs = now.getTime() - organizerAt.getTime()
  return idleMs >= ORGANIZER_IDLE_MS + ORGANIZER_CALL_STORED_EVERY_MS
}

/** Whether a proof still gives access to keys, which lasts while keys are being read (product 7.13.9). */
export const areKeysOpen = (keysAt: Date | null, now: Date): boolean =>
  keysAt !== null &&
  now.getTime() - keysAt.getTime() < ORGANIZER_IDLE_MS + ORGANIZER_CALL_STORED_EVERY_MS
