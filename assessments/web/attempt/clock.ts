import { Changing } from '../../../platform/web/changing.ts'
import { RED_CLOCK_SECONDS } from '../../deadline.ts'
import type { Environment } from './environment.ts'

/** A longer gap between two ticks means that the page slept or was throttled. */
const SLEPT_MS = 5_000
/** A larger difference between the two clocks means that the device slept or its clock was set. */
const CLOCKS_APART_MS = 2_000
/** The difference that network delay can explain, in addition to half the round trip. */
const TOLERANCE_MS = 250
/** Seconds left at which a screen reader announces the time (product 6.7.5), largest first. */
const ANNOUNCED = [
  { seconds: 300, text: '5 minutes remaining' },
  { seconds: 60, text: '1 minute remaining' },
] as const
const LATE_SECONDS = 5

interface ClockView {
  secondsLeft: number
  /** Whether under 300 s remain (product 6.7.4). */
  isRed: boolean
  /** The current screen reader announcement. */
  announcement: string
}

/** The countdown. It uses the monotonic clock, so throttled timers and clock changes don't affect it. */
export class AttemptClock extends Changing {
  readonly #environment: Environment
  readonly #onZero: () => void
  readonly #onWake: () => void
  #endsAt = 0
  #isSynced = false
  #isStopped = false
  #isZeroTold = false
  #lastTick = { now: 0, wallNow: 0 }
  #cancelTimer: (() => void) | undefined
  #view: ClockView = { secondsLeft: 0, isRed: false, announcement: '' }

  /** @param told onZero: no time is left, as far as this page knows. onWake: the page may have slept */
  constructor(environment: Environment, told: { onZero: () => void; onWake: () => void }) {
    super()
    this.#environment = environment
    this.#onZero = told.onZero
    this.#onWake = told.onWake
  }

  /** Takes the server's remaining time. Ignores differences that network delay explains. */
  sync(remainingMs: number, roundTripMs = 0): void {
    if (this.#isStopped) return
    const { now } = this.#environment
    const endsAt = now() + remainingMs - roundTripMs / 2
    const isExplained = Math.abs(endsAt - this.#endsAt) <= roundTripMs / 2 + TOLERANCE_MS
    if (!this.#isSynced || !isExplained) this.#endsAt = endsAt
    // There is time left again, so the next zero must be reported again.
    if (this.remainingMs() > 0) this.#isZeroTold = false
    if (!this.#isSynced) this.#noteTick()
    this.#isSynced = true
    this.#tick()
  }

  remainingMs(): number {
    return Math.max(0, this.#endsAt - this.#environment.now())
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer?.()
  }

  readonly getView = (): ClockView => this.#view

  #noteTick(): void {
    this.#lastTick = { now: this.#environment.now(), wallNow: this.#environment.wallNow() }
  }

  #tick(): void {
    if (this.#isStopped) return
    this.#cancelTimer?.()
    const last = this.#lastTick
    this.#noteTick()
    const passed = this.#lastTick.now - last.now
    const passedOnWall = this.#lastTick.wallNow - last.wallNow
    this.#show()
    const remaining = this.remainingMs()
    // Schedules the next tick just after the next full second.
    if (remaining > 0) {
      this.#cancelTimer = this.#environment.setTimer(() => this.#tick(), (remaining % 1000) + 2)
    }
    if (passed > SLEPT_MS || Math.abs(passedOnWall - passed) > CLOCKS_APART_MS) this.#onWake()
    if (remaining === 0 && !this.#isZeroTold) {
      this.#isZeroTold = true
      this.#onZero()
    }
  }

  #show(): void {
    const secondsLeft = Math.floor(this.remainingMs() / 1000)
    const before = this.#view.secondsLeft
    if (secondsLeft === before) return
    const due = ANNOUNCED.find(
      ({ seconds }) =>
        // After a long sleep the announcement would be wrong, so it is skipped.
        before > seconds && secondsLeft <= seconds && secondsLeft > seconds - LATE_SECONDS,
    )
    this.#view = {
      secondsLeft,
      isRed: secondsLeft < RED_CLOCK_SECONDS,
      // Cleared when more time is given, so that the same text is read out again.
      announcement: due?.text ?? (secondsLeft > before ? '' : this.#view.announcement),
    }
    this.changed()
  }
}
