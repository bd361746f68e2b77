interface TimeSource {
  /** the machine's clock, milliseconds since 1970; anybody with the right may set it */
  wallMs(): number
  /** milliseconds that only ever grow; on some systems they stand still while the machine sleeps */
  elapsedMs(): number
  /** milliseconds since the machine started, its sleep included; asked only when the two above disagree */
  uptimeMs(): number
}

/** Smaller steps are the usual corrections of a clock and are followed. */
const TOLERANCE_MS = 2_000
/** Uptime is told in seconds on some systems. */
const UPTIME_TOLERANCE_MS = 3_000
/** How long a clock that has jumped must stay there before it is believed. */
export const HOLD_MS = 15 * 60_000

/**
 * The time for all rules, from a clock that may be set during a test: an hour forward would end every attempt.
 *     clock    ──────┐ +1 h ┌──────        told: as if it had not happened
 *     clock    ──────┐ +1 h ───15 min──▶   told: the old time for 15 minutes, then the new one
 *     machine  ──────  asleep  ──────▶     told: the clock's time, for that much has passed
 * @param onJump told once when the clock has jumped, by how many milliseconds and whether it is believed
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
