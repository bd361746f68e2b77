/** How many violations end an assessment (product 6.8.1). */
export const MAX_VIOLATIONS = 3
/** Violations other than absences within this time count as one action, such as keydown and copy (product 6.8.7). */
export const MERGE_MS = 2_000

/** Leaving the page. One absence is one violation, whatever its length or cause. */
const ABSENCE_KINDS = ['page_hidden', 'window_blur'] as const
/** The other actions that count (product 6.8.2). */
export const ACT_KINDS = [
  'copy',
  'cut',
  'paste',
  'context_menu',
  'shortcut',
  'print_screen',
] as const
/** Kinds that are stored but never counted (product 6.8.10). */
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
/** How often a page sends a heartbeat (product 6.8.20). */
export const HEARTBEAT_MS = 30_000
/** How a browser reports that it opened a document. */
export const WAYS_OPENED = ['navigate', 'reload', 'back_forward'] as const
export const EVENT_KINDS = [...ABSENCE_KINDS, ...ACT_KINDS, ...QUIET_KINDS] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Kinds that an organizer can exempt a candidate from (product 7.3.5). */
export const COUNTED_KINDS = [...ABSENCE_KINDS, ...ACT_KINDS] as const

export interface RecordedEvent {
  kind: string
  /** Milliseconds since the start of the attempt. */
  atMs: number
  isViolation: boolean
}

/** Clamps the page's clock between the previous event and now. A wrong clock causes no strikes (product 6.8.5). */
export function clampEventTime(atMs: number, previousAtMs: number, elapsedMs: number): number {
  return Math.round(Math.min(Math.max(atMs, previousAtMs), Math.max(elapsedMs, previousAtMs)))
}

/**
 * Whether an event is a violation (product 6.8.6, 6.8.7). An absence counts once until the page is seen again. Other
 * actions count once within two seconds. `exempt`: kinds that don't count for this candidate.
 */
export function isViolation(
  event: { kind: string; atMs: number },
  earlier: readonly RecordedEvent[],
  exempt: readonly string[],
): boolean {
  if (exempt.includes(event.kind)) return false
  if (isAbsence(event.kind)) return !isAway(earlier, exempt)
  if (!(ACT_KINDS as readonly string[]).includes(event.kind)) return false
  // The time runs from the last counted action, so that constant repetition still adds strikes.
  const last = earlier.findLast((one) => one.isViolation && !isAbsence(one.kind))
  return !last || event.atMs - last.atMs >= MERGE_MS
}

export function isQuiet(kind: string): boolean {
  return (QUIET_KINDS as readonly string[]).includes(kind)
}

export function isAbsence(kind: string): boolean {
  return (ABSENCE_KINDS as readonly string[]).includes(kind)
}

/** Whether the candidate left and has not returned since, in the same page or a new one. */
export function isAway(events: readonly RecordedEvent[], exempt: readonly string[]): boolean {
  const last = events.findLast(
    ({ kind }) =>
      kind === 'page_visible' || kind === 'ready' || (isAbsence(kind) && !exempt.includes(kind)),
  )
  return last !== undefined && isAbsence(last.kind)
}

const NAMES: Record<string, string> = {
  page_hidden: 'Leaving the test page',
  window_blur: 'Leaving the test page',
  copy: 'Copying',
  cut: 'Cutting',
  paste: 'Pasting',
  context_menu: 'Right-clicking',
  print_screen: 'Taking a screenshot',
}

/** Names a violation for 'ACTION is not allowed during the test. Strike N/3.' (product 6.8.13). */
export const nameOfAct = (kind: string, key?: string): string =>
  NAMES[kind] ?? (key ? `The shortcut ${key}` : 'This shortcut')
