interface TimeSource {
  /** the machine's clock in milliseconds since 1970, which an administrator may set */
  wallMs(): number
  /** monotonic milliseconds, which may stop while the machine sleeps */
  elapsedMs(): number
  /** milliseconds since the machine booted, including sleep; read only when the two above disagree */
  uptimeMs(): number
}

/** Smaller steps are ordinary clock corrections and are followed. */
const TOLERANCE_MS = 2_000
/** Some systems report uptime in whole seconds. */
const UPTIME_TOLERANCE_MS = 3_000
/** Milliseconds that a clock must keep a jump before we accept it. */
export const HOLD_MS = 15 * 60_000

/**
 * The time for all rules. The machine's clock may be set during a test, and an extra hour would end every attempt.
 *     clock    ──────┐ +1 h ┌──────        result: the jump is ignored
 *     clock    ──────┐ +1 h ───15 min──▶   result: the old time for 15 minutes, then the new one
 *     machine  ──────  asleep  ──────▶     result: the clock's time, because it really passed
 * @param onJump called once per jump with its milliseconds and whether it was accepted
 */
export function createClock(
  source: TimeSource,
  onJump: (jump: { byMs: number; isBelieved: boolean }) => void = () => {},
): () => Date {
  let offsetMs = source.wallMs() - source.elapsedMs()
  let sleptMs = source.uptimeMs() - source.elapsedMs()
  let heldSinceMs: number | undefined

  function follow(byMs: number): void {
    offsetMs += byMs
    heldSinceMs = undefined
  }

  return () => {
    const wallMs = source.wallMs()
    const elapsedMs = source.elapsedMs()
    const byMs = wallMs - elapsedMs - offsetMs
    if (Math.abs(byMs) <= TOLERANCE_MS) {
      follow(byMs)
      return new Date(wallMs)
    }
    const sleepMs = source.uptimeMs() - elapsedMs - sleptMs
    if (Math.abs(byMs - sleepMs) <= UPTIME_TOLERANCE_MS) {
      sleptMs += sleepMs
      follow(byMs)
      return new Date(wallMs)
    }
    if (heldSinceMs === undefined) {
      heldSinceMs = elapsedMs
      onJump({ byMs, isBelieved: false })
    } else if (elapsedMs - heldSinceMs >= HOLD_MS) {
      onJump({ byMs, isBelieved: true })
      follow(byMs)
      return new Date(wallMs)
    }
    return new Date(elapsedMs + offsetMs)
  }
}
