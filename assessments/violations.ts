/** Violations that end an assessment (product 6.8.1). */
export const MAX_VIOLATIONS = 3
/** Violations other than absences that fall within this time are one act: keydown and copy (product 6.8.7). */
export const MERGE_MS = 2_000

/** Leaving the page: one absence is one violation, however long and whatever fired it. */
const ABSENCE_KINDS = ['page_hidden', 'window_blur'] as const
/** The other acts that count (product 6.8.2). */
export const ACT_KINDS = [
  'copy',
  'cut',
  'paste',
  'context_menu',
  'shortcut',
  'print_screen',
] as const
/** Kept, never counted (product 6.8.10). */
export const QUIET_KINDS = [
  'ready',
  'page_visible',
  'reload',
  'page_left',
  'leave_prompt',
  'focus_lost',
  'fullscreen_enter',
  'fullscreen_exit',
  'drag',
  'offline',
  'online',
  'heartbeat',
  'help',
] as const
/** How often a page says that it is there (product 6.8.20). */
export const HEARTBEAT_MS = 30_000
/** How a browser says that a document was opened. */
export const WAYS_OPENED = ['navigate', 'reload', 'back_forward'] as const
export const EVENT_KINDS = [...ABSENCE_KINDS, ...ACT_KINDS, ...QUIET_KINDS] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Kinds that an organizer may exempt a candidate from (product 7.3.5). */
export const COUNTED_KINDS = [...ABSENCE_KINDS, ...ACT_KINDS] as const

export interface RecordedEvent {
  kind: string
  /** milliseconds since the start of the attempt */
  atMs: number
  isViolation: boolean
}

/** The page's own clock, between the event before and now: a wrong clock gives no strikes (product 6.8.5). */
export function clampEventTime(atMs: number, previousAtMs: number, elapsedMs: number): number {
  return Math.round(Math.min(Math.max(atMs, previousAtMs), Math.max(elapsedMs, previousAtMs)))
}

/**
 * Whether an event is a violation (product 6.8.6, 6.8.7): an absence counts once until the page is seen again, other
 * acts once within two seconds. `exempt`: kinds not counted for this candidate.
 */
export function isViolation(
  event: { kind: string; atMs: number },
  earlier: readonly RecordedEvent[],
  exempt: readonly string[],
): boolean {
  if (exempt.includes(event.kind)) return false
  if (isAbsence(event.kind)) return !isAway(earlier, exempt)
  if (!(ACT_KINDS as readonly string[]).includes(event.kind)) return false
  // Measured from the act that counted, so that going on and on is no immunity.
  const last = earlier.findLast((one) => one.isViolation && !isAbsence(one.kind))
  return !last || event.atMs - last.atMs >= MERGE_MS
}

/** Whether a kind of event never counts, no matter who reports it (product 6.8.10). */
export function isQuiet(kind: string): boolean {
  return (QUIET_KINDS as readonly string[]).includes(kind)
}

export function isAbsence(kind: string): boolean {
  return (ABSENCE_KINDS as readonly string[]).includes(kind)
}

/** Whether the candidate is away: left, and neither seen again nor back with a new page since. */
export function isAway(events: readonly RecordedEvent[], exempt: readonly string[]): boolean {
  const last = events.findLast(
    ({ kind }) =>
      kind === 'page_visible' || kind === 'ready' || (isAbsence(kind) && !exempt.includes(kind)),
  )
  return last !== undefined && isAbsence(last.kind)
}

/** How a violation is named in 'ACTION is not allowed during the test. Strike N/3.' (product 6.8.13). */
export function nameOfAct(kind: string, key?: string): string {
  switch (kind) {
    case 'page_hidden':
    case 'window_blur':
      return 'Leaving the test page'
    case 'copy':
      return 'Copying'
    case 'cut':
      return 'Cutting'
    case 'paste':
      return 'Pasting'
    case 'context_menu':
      return 'Right-clicking'
    case 'print_screen':
      return 'Taking a screenshot'
    default:
      return key ? `The shortcut ${key}` : 'This shortcut'
  }
}
