import { type EventKind, HEARTBEAT_MS, MERGE_MS } from '../../../violations.ts'
import type { Environment } from '../environment.ts'
import type { EventDetail } from '../event-queue.ts'

/** The letters that are blocked with Ctrl or Cmd (product 6.8.2). */
const SHORTCUT_LETTERS = 'CVXFLPSA'
const CLIPBOARD_KINDS = ['copy', 'cut', 'paste'] as const

/** A shorter blur is a flicker (a fullscreen animation, a screen reader), not an absence. */
const FLICKER_MS = 200
/** The limit after a fullscreen change or the leave prompt, because some systems take the focus for longer. */
const EXCUSED_FLICKER_MS = 1_500
/** Entering fullscreen, leaving it and the leave prompt each excuse one blur in this time (product 6.8.18). */
const EXCUSE_EVERY_MS = 60_000
/** The limit after a counted key, because a window that the system opens for the key is part of the same action. */
const KEY_FLICKER_MS = 3_000

type Listened = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
/** The parts of window and document that are observed. Tests pass their own. */
export interface Watched {
  window: Listened
  document: Listened & Pick<Document, 'visibilityState' | 'hasFocus' | 'fullscreenElement'>
}

interface ProctorOptions extends Watched {
  environment: Pick<Environment, 'now' | 'setTimer'>
  /** @param atMs by the environment's clock */
  report: (kind: EventKind, atMs: number, detail?: EventDetail) => void
}

type FullscreenChange = 'fullscreen_enter' | 'fullscreen_exit'
type Excuse = FullscreenChange | 'leave_prompt'

interface Absence {
  sinceMs: number
  /** A hidden page is never excused. A blur can be. */
  kind: 'page_hidden' | 'window_blur'
  /** Whether it lasted long enough and was reported. */
  isTold: boolean
  excuse?: Excuse
  cancelTimer: () => void
}

/**
 * Monitors the page during a test (product 6.8), blocks actions where possible and reports events. The server decides.
 *     blur ──flicker──▶ window_blur ───▶ focused and visible: page_visible with its length
 *          └─ focus in time: nothing, or focus_lost if a longer blur was excused
 *     hidden ─────────▶ page_hidden ───▶ the same; an earlier blur is the same absence
 *     beforeunload ───▶ answered: leave_prompt with its length; hidden during it is an absence
 *     pagehide ───────▶ page_left; the next page detects a reload or an absence (arrival.ts)
 */
export class Proctor {
  readonly #options: ProctorOptions
  readonly #removers: (() => void)[] = []
  #absence: Absence | undefined
  /** Since when the page has been in the browser's back/forward cache or unloading. */
  #goneSinceMs: number | undefined
  /** Since when the leave prompt has been open. It stays set until just after the answer. */
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
    // A candidate who types or clicks is present, even if focus events are missing.
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
      // A long press is not a right-click.
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
    // A page opened behind another tab starts with an absence.
    if (document.visibilityState === 'hidden') this.#onVisibility()
    this.#beatLater()
  }

  stop(): void {
    for (const remove of this.#removers.splice(0)) remove()
    this.#absence?.cancelTimer()
    this.#absence = undefined
    this.#cancelHeartbeat()
  }

  /** Whether the candidate left and has not returned. */
  get isAway(): boolean {
    return this.#absence !== undefined
  }

  /** Notes that the page itself is about to enter fullscreen. */
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

  /** Schedules the heartbeat, which shows that the page is monitoring and in front (product 6.8.20). */
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
    // Unloading a page hides it too.
    if (this.#goneSinceMs !== undefined) return
    // A prompt stops the page, so events behind it arrive after it closes.
    this.#absence ??= this.#beginAbsence(this.#promptSinceMs)
    if (this.#absence.isTold) return
    this.#absence.kind = 'page_hidden'
    // Waits for the next task, because some browsers hide a page before they report that it unloads.
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

  /** Ends the absence when the page is focused and visible again. */
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
    // Holding a key is one action.
    if (event.repeat) return
    this.#lastKeyActMs = this.#options.environment.now()
    this.#tell('shortcut', { key: shortcut })
  }

  #onKeyUp(event: KeyboardEvent): void {
    // Windows reports this key only on release.
    if (event.key !== 'PrintScreen') return
    event.preventDefault()
    this.#lastKeyActMs = this.#options.environment.now()
    this.#tell('print_screen')
  }

  #onFullscreenChange(): void {
    const kind = this.#options.document.fullscreenElement ? 'fullscreen_enter' : 'fullscreen_exit'
    this.#noteFullscreen(kind)
    // This is the blur caused by the fullscreen change.
    const absence = this.#absence
    if (absence && !absence.isTold && absence.kind === 'window_blur' && !absence.excuse) {
      this.#excuse(absence, kind)
    }
    this.#tell(kind)
  }

  #noteFullscreen(kind: FullscreenChange): void {
    this.#lastFullscreen = { kind, atMs: this.#options.environment.now() }
  }

  /** Allows a longer blur for this cause, unless it excused another one recently. */
  #excuse(absence: Absence, excuse: Excuse): boolean {
    const excusedAtMs = this.#excusedAtMs.get(excuse) ?? Number.NEGATIVE_INFINITY
    const now = this.#options.environment.now()
    if (now - excusedAtMs < EXCUSE_EVERY_MS) return false
    absence.excuse = excuse
    this.#tellAbsenceAfter(Math.max(0, absence.sinceMs + EXCUSED_FLICKER_MS - now))
    return true
  }

  /** Makes the browser ask before the page closes (product 6.8.3). */
  #onBeforeUnload(event: Event): void {
    event.preventDefault()
    // Older browsers need this to show the prompt.
    ;(event as BeforeUnloadEvent).returnValue = true
    const sinceMs = this.#options.environment.now()
    this.#promptSinceMs = sinceMs
    // Timers stop while the prompt is open, so this runs after the answer, even after 'leave' if unloading is slow.
    this.#options.environment.setTimer(() => this.#onPromptAnswered(sinceMs), FLICKER_MS)
  }

  #onPromptAnswered(sinceMs: number): void {
    if (this.#promptSinceMs !== sinceMs || this.#goneSinceMs !== undefined) return
    this.#promptSinceMs = undefined
    const { environment, document, report } = this.#options
    report('leave_prompt', sinceMs, { awayMs: Math.round(environment.now() - sinceMs) })
    if (document.hasFocus() || this.#absence) return
    // The focus may be on its way back, or in the window that took it from the prompt.
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

  /** Reports an absence when the browser restores the page from its back/forward cache. */
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

/** 'Ctrl+C' for a blocked key press (product 6.8.2, 6.8.9), otherwise null. */
export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'> &
    Partial<Pick<KeyboardEvent, 'getModifierState'>>,
): string | null {
  if (!event.ctrlKey && !event.metaKey) return null
  // Windows sends AltGr, which writes a character, as Ctrl+Alt. VoiceOver uses Ctrl+Option for its own keys.
  if (event.altKey || event.getModifierState?.('AltGraph')) return null
  const isAscii = /^[\x20-\x7e]$/.test(event.key)
  // On a non-Latin keyboard the key's position counts.
  const letter = isAscii ? event.key.toUpperCase() : (/^Key([A-Z])$/.exec(event.code)?.[1] ?? '')
  if (!letter || !SHORTCUT_LETTERS.includes(letter)) return null
  return `${event.metaKey ? 'Cmd' : 'Ctrl'}+${letter}`
}
