/** Violations that end an assessment (product 6.8.1). */
export const MAX_VIOLATIONS = 3
/** The clock is red under this many seconds (product 6.7.4). */
export const RED_CLOCK_SECONDS = 300
/** How long after the deadline answers still in a page's queue are taken (product 6.7.8, 6.7.9). */
export const GRACE_MS = 10_000
/** How long nobody is finalised after the service itself was away across a deadline. */
export const AWAY_GRACE_MS = 60_000
/** Violations other than absences that fall within this time are one act: keydown and copy. */
export const MERGE_MS = 2_000

/** Leaving the page: one absence is one violation, however long and whatever fired it. */
export const ABSENCE_KINDS = ['page_hidden', 'window_blur'] as const
/** The other acts that count (product 6.8.2). */
export const ACT_KINDS = [
  'copy',
  'cut',
  'paste',
  'context_menu',
  'shortcut',
  'print_screen',
] as const
/** Kept, never counted. */
export const QUIET_KINDS = [
  'ready',
  'page_visible',
  'reload',
  'fullscreen_enter',
  'fullscreen_exit',
  'offline',
  'online',
] as const
/** What a page may report. */
export const EVENT_KINDS = [...ABSENCE_KINDS, ...ACT_KINDS, ...QUIET_KINDS] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Kinds that an organiser may exempt a candidate from. */
export const COUNTED_KINDS = [...ABSENCE_KINDS, ...ACT_KINDS] as const

export type SubmitReason = 'candidate' | 'violations' | 'deadline'

export interface Clocked {
  /** milliseconds since 1970 */
  deadlineMs: number
  submittedMs: number | null
}

/**
 * When an attempt is finalised, milliseconds since 1970:
 *
 *     deadline ──10 s──▶ end                 the service was up all the time
 *     deadline ─── away ─── up ──60 s──▶ end  it was away across the deadline
 *
 * @param upSinceMs since when the service has been up without a break
 */
export function graceEndMs(deadlineMs: number, upSinceMs: number): number {
  const usual = deadlineMs + GRACE_MS
  return upSinceMs > deadlineMs ? Math.max(usual, upSinceMs + AWAY_GRACE_MS) : usual
}

export type AttemptPhase = 'running' | 'grace' | 'overdue' | 'closed'

/**
 * Where an attempt stands at an instant: running before its deadline, in the grace in which only the
 * queue is taken, overdue (to be finalised by whoever sees it first), or closed.
 */
export function phaseOf(attempt: Clocked, nowMs: number, upSinceMs: number): AttemptPhase {
  if (attempt.submittedMs !== null) return 'closed'
  if (nowMs < attempt.deadlineMs) return 'running'
  return nowMs < graceEndMs(attempt.deadlineMs, upSinceMs) ? 'grace' : 'overdue'
}

/** Milliseconds left, never negative. */
export function remainingMs(deadlineMs: number, nowMs: number): number {
  return Math.max(0, deadlineMs - nowMs)
}

/** mm:ss; minutes grow past 59 where somebody has extra time (product 6.7.7). */
export function formatMinutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}

export interface RecordedEvent {
  kind: string
  /** milliseconds since the start of the attempt */
  atMs: number
  /** whether it was decided to be a violation */
  isViolation: boolean
}

/**
 * When an event happened: the page's own clock, clamped between the event before and now, so that a
 * wrong or changed device clock gives neither strikes nor immunity.
 */
export function clampEventTime(atMs: number, previousAtMs: number, elapsedMs: number): number {
  return Math.round(Math.min(Math.max(atMs, previousAtMs), Math.max(elapsedMs, previousAtMs)))
}

/**
 * Whether an event is a violation of its own (product 6.8.6, 6.8.7): an absence counts once, from the
 * first blur or hide until the page is seen again; other acts count once within two seconds.
 * @param earlier events of the attempt in their order, this one not among them
 * @param exempt kinds that are not counted for this candidate
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

function isAbsence(kind: string): boolean {
  return (ABSENCE_KINDS as readonly string[]).includes(kind)
}

/** Whether the candidate is away: left, and neither seen again nor back with a new page since. */
function isAway(events: readonly RecordedEvent[], exempt: readonly string[]): boolean {
  const last = events.findLast(
    ({ kind }) =>
      kind === 'page_visible' || kind === 'ready' || (isAbsence(kind) && !exempt.includes(kind)),
  )
  return last !== undefined && isAbsence(last.kind)
}

/** How a violation is named in 'ACTION is not allowed during the test. Strike N/3.' */
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

export interface GradedItem {
  itemId: number
  correctOption: string
  /** further options that a regrade accepts */
  accepted: readonly string[]
  isVoid: boolean
}

/**
 * Correct and incorrect answers of a paper; unanswered counts as incorrect, a void item as neither.
 * The SQL view assessment_results does the same; tests compare the two.
 */
export function gradePaper(
  items: readonly GradedItem[],
  choices: ReadonlyMap<number, string>,
): { correct: number; incorrect: number } {
  let correct = 0
  let incorrect = 0
  for (const item of items) {
    if (item.isVoid) continue
    const choice = choices.get(item.itemId)
    if (choice !== undefined && (choice === item.correctOption || item.accepted.includes(choice))) {
      correct += 1
    } else {
      incorrect += 1
    }
  }
  return { correct, incorrect }
}
