import { type EventKind, HEARTBEAT_MS, MERGE_MS } from '../../../violations.ts'
import type { Environment } from '../environment.ts'
import type { EventDetail } from '../event-queue.ts'

/** The letters that Ctrl or Cmd must not be pressed with (product 6.8.2). */
const SHORTCUT_LETTERS = 'CVXFLPSA'
const CLIPBOARD_KINDS = ['copy', 'cut', 'paste'] as const

/** A blur shorter than this is a flicker (a fullscreen animation, a screen reader), not an absence. */
const FLICKER_MS = 200
/** The same for a change of fullscreen and the leave prompt: some systems take the focus meanwhile. */
const EXCUSED_FLICKER_MS = 1_500
/** Entering and leaving fullscreen and the leave prompt excuse that once each in this time (product 6.8.18). */
const EXCUSE_EVERY_MS = 60_000
/** The same after a key that counted: what the system opens for it is the same act. */
const KEY_FLICKER_MS = 3_000

type Listened = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
/** The parts of window and document that are watched; tests pass their own. */
export interface Watched {
  window: Listened
  document: Listened & Pick<Document, 'visibilityState' | 'hasFocus' | 'fullscreenElement'>
}

interface ProctorOptions extends Watched {
  environment: Pick<Environment, 'now' | 'setTimer'>
  /** @param atMs on the environment's clock */
  report: (kind: EventKind, atMs: number, detail?: EventDetail) => void
}

type FullscreenChange = 'fullscreen_enter' | 'fullscreen_exit'
type Excuse = FullscreenChange | 'leave_prompt'

interface Absence {
  sinceMs: number
  /** hidden is never excused, a blur may be */
  kind: 'page_hidden' | 'window_blur'
  /** whether it has lasted long enough, and was told */
  isTold: boolean
  excuse?: Excuse
  cancelTimer: () => void
}

/**
 * Watches the page during a test (product 6.8), blocks what it can and tells what it saw; the server decides.
 *     blur ──flicker──▶ told: window_blur ─────▶ focused and visible: page_visible with its length
 *          └─ focus in time: nothing, or focus_lost where more than a flicker was excused
 *     hidden ─────────▶ told: page_hidden ─────▶ the same; a blur before it is the same absence
 *     beforeunload ───▶ answered: leave_prompt with how long it stood; hidden meanwhile is an absence
 *     pagehide ───────▶ told: page_left; the next page knows of a reload or an absence (arrival.ts)
 */
export class Proctor {
  readonly #options: ProctorOptions
  readonly #removers: (() => void)[] = []
  #absence: Absence | undefined
  /** the browser has put the page away, since when */
  #goneSinceMs: number | undefined
  /** the leave prompt stands, or stood a moment ago */
  #promptSinceMs: number | undefined
  #lastKeyActMs = Number.NEGATIVE_INFINITY
  #lastFullscreen: { kind: FullscreenChange; atMs: number } | undefined
  readonly #excusedAtMs = new Map<Excuse, number>()
  #cancelHeartbeat = () => {}

  constructor(options: ProctorOptions) {
    this.#options = options
  }

  start(): void {
    const { window, document } = this.#options
    this.#on(document, 'visibilitychange', () => this.#onVisibility())
    this.#on(window, 'blur', (event) => event.target === event.currentTarget && this.#onBlur())
    this.#on(window, 'focus', (event) => event.target === event.currentTarget && this.#comeBack())
    // A candidate who types or clicks is here, even if focus events went missing.
    this.#on(window, 'pointerdown', () => this.#comeBack(), true)
    this.#on(window, 'keydown', (event) => this.#onKeyDown(event as KeyboardEvent), true)
    this.#on(window, 'keyup', (event) => this.#onKeyUp(event as KeyboardEvent), true)
    for (const kind of CLIPBOARD_KINDS) {
      this.#on(document, kind, (event) => {
        event.preventDefault()
        this.#tell(kind)
      })
    }
    this.#on(document, 'contextmenu', (event) => {
      event.preventDefault()
      // A finger that rests on the page is no right-click.
      if ((event as PointerEvent).pointerType !== 'touch') this.#tell('context_menu')
    })
    this.#on(document, 'dragstart', (event) => {
      event.preventDefault()
      this.#tell('drag')
    })
    this.#on(document, 'fullscreenchange', () => this.#onFullscreenChange())
    this.#on(window, 'beforeunload', (event) => this.#onBeforeUnload(event))
    this.#on(window, 'pagehide', () => this.#onPageHide())
    this.#on(window, 'pageshow', () => this.#onPageShow())
    this.#on(window, 'offline', () => this.#tell('offline'))
    this.#on(window, 'online', () => this.#tell('online'))
    // Opened behind another tab: away from the first moment on.
    if (document.visibilityState === 'hidden') this.#onVisibility()
    this.#beatLater()
  }

  stop(): void {
    for (const remove of this.#removers.splice(0)) remove()
    this.#absence?.cancelTimer()
    this.#absence = undefined
    this.#cancelHeartbeat()
  }

  /** Whether the candidate has left and hasn't been seen since. */
  get isAway(): boolean {
    return this.#absence !== undefined
  }

  /** The page itself is about to go fullscreen. */
  expectFullscreen(): void {
    this.#noteFullscreen('fullscreen_enter')
  }

  #on(target: Listened, type: string, listener: (event: Event) => void, capture = false): void {
    target.addEventListener(type, listener, capture)
    this.#removers.push(() => target.removeEventListener(type, listener, capture))
  }

  #tell(kind: EventKind, detail?: EventDetail): void {
    this.#options.report(kind, this.#options.environment.now(), detail)
  }

  /** What a page that only saves can't tell: that it is there, and in front (product 6.8.20). */
  #beatLater(): void {
    this.#cancelHeartbeat = this.#options.environment.setTimer(() => {
      const { document } = this.#options
      const visible = document.visibilityState === 'visible'
      this.#tell('heartbeat', { focused: document.hasFocus(), visible })
      this.#beatLater()
    }, HEARTBEAT_MS)
  }

  #onVisibility(): void {
    const { document } = this.#options
    if (document.visibilityState === 'visible') {
      if (document.hasFocus()) this.#comeBack()
      return
    }
    // A page that is unloaded is hidden too.
    if (this.#goneSinceMs !== undefined) return
    // A prompt stops the page: what happened behind it is heard when it is gone.
    this.#absence ??= this.#beginAbsence(this.#promptSinceMs)
    if (this.#absence.isTold) return
    this.#absence.kind = 'page_hidden'
    // In its own task: where a browser hides the page before it tells that it unloads it.
    this.#tellAbsenceAfter(0)
  }

  #onBlur(): void {
    // The leave prompt takes the focus.
    if (this.#promptSinceMs !== undefined || this.#goneSinceMs !== undefined) return
    if (this.#absence) return
    this.#absence = this.#beginAbsence()
    const { kind, atMs } = this.#lastFullscreen ?? { kind: null, atMs: Number.NEGATIVE_INFINITY }
    const now = this.#options.environment.now()
    if (now - this.#lastKeyActMs < MERGE_MS) this.#tellAbsenceAfter(KEY_FLICKER_MS)
    else if (!kind || now - atMs >= EXCUSED_FLICKER_MS || !this.#excuse(this.#absence, kind)) {
      this.#tellAbsenceAfter(FLICKER_MS)
    }
  }

  #beginAbsence(sinceMs = this.#options.environment.now()): Absence {
    return { sinceMs, kind: 'window_blur', isTold: false, cancelTimer: () => {} }
  }

  #tellAbsenceAfter(delayMs: number): void {
    const absence = this.#absence
    if (!absence) return
    absence.cancelTimer()
    absence.cancelTimer = this.#options.environment.setTimer(
      () => this.#tellAbsence(absence),
      delayMs,
    )
  }

  #tellAbsence(absence: Absence): void {
    absence.isTold = true
    if (absence.excuse) this.#excusedAtMs.set(absence.excuse, absence.sinceMs)
    this.#options.report(absence.kind, absence.sinceMs)
  }

  /** Focused and visible again: the absence ends. */
  #comeBack(): void {
    const absence = this.#absence
    if (!absence || this.#options.document.visibilityState === 'hidden') return
    this.#absence = undefined
    absence.cancelTimer()
    const awayMs = Math.max(0, Math.round(this.#options.environment.now() - absence.sinceMs))
    if (!absence.isTold && absence.kind === 'page_hidden') this.#tellAbsence(absence)
    if (absence.isTold) this.#tell('page_visible', { awayMs })
    else if (awayMs >= FLICKER_MS) {
      if (absence.excuse) this.#excusedAtMs.set(absence.excuse, absence.sinceMs)
      this.#tell('focus_lost', { awayMs })
    }
  }

  #onKeyDown(event: KeyboardEvent): void {
    this.#comeBack()
    const shortcut = shortcutOf(event)
    if (!shortcut) return
    event.preventDefault()
    // A key held down is one act.
    if (event.repeat) return
    this.#lastKeyActMs = this.#options.environment.now()
    this.#tell('shortcut', { key: shortcut })
  }

  #onKeyUp(event: KeyboardEvent): void {
    // Windows tells of this key only when it is let go.
    if (event.key !== 'PrintScreen') return
    event.preventDefault()
    this.#lastKeyActMs = this.#options.environment.now()
    this.#tell('print_screen')
  }

  #onFullscreenChange(): void {
    const kind = this.#options.document.fullscreenElement ? 'fullscreen_enter' : 'fullscreen_exit'
    this.#noteFullscreen(kind)
    // The blur that came with the change.
    const absence = this.#absence
    if (absence && !absence.isTold && absence.kind === 'window_blur' && !absence.excuse) {
      this.#excuse(absence, kind)
    }
    this.#tell(kind)
  }

  #noteFullscreen(kind: FullscreenChange): void {
    this.#lastFullscreen = { kind, atMs: this.#options.environment.now() }
  }

  /** Lets a blur last longer for what came with it, unless that has excused another one just now. */
  #excuse(absence: Absence, excuse: Excuse): boolean {
    const excusedAtMs = this.#excusedAtMs.get(excuse) ?? Number.NEGATIVE_INFINITY
    const now = this.#options.environment.now()
    if (now - excusedAtMs < EXCUSE_EVERY_MS) return false
    absence.excuse = excuse
    this.#tellAbsenceAfter(Math.max(0, absence.sinceMs + EXCUSED_FLICKER_MS - now))
    return true
  }

  /** The browser asks before the page goes (product 6.8.3). */
  #onBeforeUnload(event: Event): void {
    event.preventDefault()
    // Older browsers ask only for this.
    ;(event as BeforeUnloadEvent).returnValue = true
    const sinceMs = this.#options.environment.now()
    this.#promptSinceMs = sinceMs
    // No timer runs while the prompt stands: this is after its answer, 'leave' included where that takes time.
    this.#options.environment.setTimer(() => this.#onPromptAnswered(sinceMs), FLICKER_MS)
  }

  #onPromptAnswered(sinceMs: number): void {
    if (this.#promptSinceMs !== sinceMs || this.#goneSinceMs !== undefined) return
    this.#promptSinceMs = undefined
    const { environment, document, report } = this.#options
    report('leave_prompt', sinceMs, { awayMs: Math.round(environment.now() - sinceMs) })
    if (document.hasFocus() || this.#absence) return
    // On its way back, or what took it from the prompt has it still.
    this.#absence = this.#beginAbsence()
    if (!this.#excuse(this.#absence, 'leave_prompt')) this.#tellAbsenceAfter(FLICKER_MS)
  }

  #onPageHide(): void {
    const { now } = this.#options.environment
    this.#goneSinceMs = this.#absence?.sinceMs ?? now()
    this.#promptSinceMs = undefined
    if (this.#absence && !this.#absence.isTold) {
      this.#absence.cancelTimer()
      this.#absence = undefined
    }
    this.#tell('page_left')
  }

  /** The browser had kept the page: it was away like any other. */
  #onPageShow(): void {
    if (this.#goneSinceMs === undefined) return
    if (!this.#absence) {
      this.#absence = this.#beginAbsence(this.#goneSinceMs)
      this.#absence.kind = 'page_hidden'
      this.#tellAbsence(this.#absence)
    }
    this.#goneSinceMs = undefined
    const { document } = this.#options
    if (document.visibilityState === 'visible' && document.hasFocus()) this.#comeBack()
  }
}

/** 'Ctrl+C' for a key press that product 6.8.2, 6.8.9, else null. */
export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'> &
    Partial<Pick<KeyboardEvent, 'getModifierState'>>,
): string | null {
  if (!event.ctrlKey && !event.metaKey) return null
  // AltGr comes as Ctrl+Alt on Windows, and writes a character; VoiceOver's own keys are Ctrl+Option.
  if (event.altKey || event.getModifierState?.('AltGraph')) return null
  const isAscii = /^[\x20-\x7e]$/.test(event.key)
  // On a keyboard of another script the place of the key is what counts.
  const letter = isAscii ? event.key.toUpperCase() : (/^Key([A-Z])$/.exec(event.code)?.[1] ?? '')
  if (!letter || !SHORTCUT_LETTERS.includes(letter)) return null
  return `${event.metaKey ? 'Cmd' : 'Ctrl'}+${letter}`
}
