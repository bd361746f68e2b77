import { type EventKind, MERGE_MS } from '../../violations.ts'
import type { Environment } from './environment.ts'
import type { EventDetail } from './event-queue.ts'

/** The letters that Ctrl or Cmd must not be pressed with (product 6.8.2). */
const SHORTCUT_LETTERS = 'CVXFLPSA'
const CLIPBOARD_KINDS = ['copy', 'cut', 'paste'] as const

/** A blur shorter than this is a flicker (a fullscreen animation, a screen reader), not an absence. */
const FLICKER_MS = 200
/** The same while the page changes to or from fullscreen: some systems take the focus meanwhile. */
const FULLSCREEN_FLICKER_MS = 1_500
/** The same after a key that counted: what the system opens for it is the same act. */
const KEY_FLICKER_MS = 3_000

type Listened = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
/** The parts of window and document that are watched; tests pass their own. */
export interface Watched {
  window: Listened
  document: Listened & Pick<Document, 'visibilityState' | 'hasFocus' | 'fullscreenElement'>
}

export interface ProctorOptions extends Watched {
  environment: Pick<Environment, 'now' | 'setTimer'>
  /** @param atMs on the environment's clock */
  report: (kind: EventKind, atMs: number, detail?: EventDetail) => void
}

interface Absence {
  sinceMs: number
  /** whether it has lasted long enough, and was told */
  isTold: boolean
  cancelTimer: () => void
}

/**
 * Watches the page during a test (product 6.8), blocks what can be blocked and tells
 * what it saw; what counts is for the server to decide.
 *
 *     blur ──flicker──▶ told: window_blur ─────▶ focused and visible: page_visible with its length
 *          └─ focus in time: nothing
 *     hidden ─────────▶ told: page_hidden ─────▶ the same; a blur before it is the same absence
 *     beforeunload, pagehide: a reload or its prompt, no absence
 */
export class Proctor {
  readonly #options: ProctorOptions
  readonly #removers: (() => void)[] = []
  #absence: Absence | undefined
  #isLeaving = false
  #lastKeyActMs = Number.NEGATIVE_INFINITY
  #lastFullscreenMs = Number.NEGATIVE_INFINITY

  constructor(options: ProctorOptions) {
    this.#options = options
  }

  start(): void {
    const { window, document } = this.#options
    this.#on(document, 'visibilitychange', () => this.#onVisibility())
    this.#on(window, 'blur', (event) => event.target === event.currentTarget && this.#onBlur())
    this.#on(window, 'focus', (event) => event.target === event.currentTarget && this.#comeBack())
    // Whoever types or clicks is here, whatever focus events went missing.
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
    this.#on(document, 'fullscreenchange', () => this.#onFullscreenChange())
    this.#on(window, 'beforeunload', (event) => this.#onBeforeUnload(event))
    this.#on(window, 'pagehide', () => this.#onPageHide())
    this.#on(window, 'pageshow', () => {
      this.#isLeaving = false
    })
    this.#on(window, 'offline', () => this.#tell('offline'))
    this.#on(window, 'online', () => this.#tell('online'))
    // Opened behind another tab: away from the first moment on.
    if (document.visibilityState === 'hidden') this.#onVisibility()
  }

  stop(): void {
    for (const remove of this.#removers.splice(0)) remove()
    this.#absence?.cancelTimer()
    this.#absence = undefined
  }

  /** Whether somebody has left, and was not seen since. */
  get isAway(): boolean {
    return this.#absence !== undefined
  }

  /** The page itself is about to change to or from fullscreen. */
  expectFullscreenChange(): void {
    this.#lastFullscreenMs = this.#options.environment.now()
  }

  #on(target: Listened, type: string, listener: (event: Event) => void, capture = false): void {
    target.addEventListener(type, listener, capture)
    this.#removers.push(() => target.removeEventListener(type, listener, capture))
  }

  #tell(kind: EventKind, detail?: EventDetail): void {
    this.#options.report(kind, this.#options.environment.now(), detail)
  }

  #onVisibility(): void {
    const { document } = this.#options
    if (document.visibilityState === 'visible') {
      if (document.hasFocus()) this.#comeBack()
      return
    }
    // A page that is unloaded is hidden too.
    if (this.#isLeaving) return
    this.#absence ??= this.#beginAbsence()
    if (this.#absence.isTold) return
    // In its own task: where a browser hides the page before it tells that it unloads it.
    this.#tellAbsenceIn(0, 'page_hidden')
  }

  #onBlur(): void {
    // The leave prompt takes the focus.
    if (this.#isLeaving || this.#absence) return
    this.#absence = this.#beginAbsence()
    const { now } = this.#options.environment
    let flickerMs = FLICKER_MS
    if (now() - this.#lastFullscreenMs < FULLSCREEN_FLICKER_MS) flickerMs = FULLSCREEN_FLICKER_MS
    if (now() - this.#lastKeyActMs < MERGE_MS) flickerMs = KEY_FLICKER_MS
    this.#tellAbsenceIn(flickerMs, 'window_blur')
  }

  #beginAbsence(): Absence {
    return { sinceMs: this.#options.environment.now(), isTold: false, cancelTimer: () => {} }
  }

  #tellAbsenceIn(delayMs: number, kind: EventKind): void {
    const absence = this.#absence
    if (!absence) return
    absence.cancelTimer()
    absence.cancelTimer = this.#options.environment.setTimer(() => {
      absence.isTold = true
      this.#options.report(kind, absence.sinceMs)
    }, delayMs)
  }

  /** Focused and visible again: the absence ends. */
  #comeBack(): void {
    this.#isLeaving = false
    const absence = this.#absence
    if (!absence || this.#options.document.visibilityState === 'hidden') return
    this.#absence = undefined
    absence.cancelTimer()
    if (!absence.isTold) return
    this.#tell('page_visible', {
      awayMs: Math.max(0, Math.round(this.#options.environment.now() - absence.sinceMs)),
    })
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
    this.expectFullscreenChange()
    const absence = this.#absence
    // The blur that came with the change.
    if (absence && !absence.isTold && this.#options.document.visibilityState === 'visible') {
      this.#tellAbsenceIn(FULLSCREEN_FLICKER_MS, 'window_blur')
    }
    this.#tell(this.#options.document.fullscreenElement ? 'fullscreen_enter' : 'fullscreen_exit')
  }

  /** The browser asks before the page goes (product 6.8.3). */
  #onBeforeUnload(event: Event): void {
    event.preventDefault()
    // Older browsers ask only for this.
    ;(event as BeforeUnloadEvent).returnValue = true
    this.#isLeaving = true
    // No timer runs while the prompt stands: this is after the answer 'stay'.
    this.#options.environment.setTimer(() => {
      this.#isLeaving = false
    }, FLICKER_MS)
  }

  #onPageHide(): void {
    this.#isLeaving = true
    if (this.#absence && !this.#absence.isTold) {
      this.#absence.cancelTimer()
      this.#absence = undefined
    }
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
