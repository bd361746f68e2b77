// Long because one object handles a window's part in an attempt, and opening, running and ending share its state.
import type { OptionLetter } from '../../../platform/options.ts'
import { ApiFailure, askedWaitMs, retryPauseMs } from '../../../platform/web/api-failure.ts'
import { Changing } from '../../../platform/web/changing.ts'
import { tidyHelp } from '../../help.ts'
import type { EventKind } from '../../violations.ts'
import { AnswerQueue } from './answer-queue.ts'
import type { AttemptApi, StartedAttempt } from './api.ts'
import type { AttemptOptions, AttemptView, RunningView, SubmittedView } from './attempt-view.ts'
import { accessView, changeOf, failureView, runningViewOf } from './attempt-view.ts'
import { AttemptClock } from './clock.ts'
import {
  askStatus,
  type Ending,
  type EndStep,
  endingOf,
  handIn,
  type Parts,
  stepToEnd,
  tellEvents,
} from './ending.ts'
import type { Environment } from './environment.ts'
import { type EventDetail, EventQueue, isCounted, type PageEvent } from './event-queue.ts'
import { attemptPrefix, ownerKey, putMessageAway, readMessageIds } from './keys.ts'
import { pickLeftovers, sendLeftovers } from './leftovers.ts'
import { Dwell } from './seen/dwell.ts'
import { Pause, StatusWatch } from './status-watch.ts'

/** How many retries to open the test before the screen gives up. */
const OPEN_RETRIES = 2

/** One window's part in an attempt, from opening or resuming to the end. Independent of React and the page. */
export class Attempt extends Changing {
  readonly clock: AttemptClock
  readonly #options: AttemptOptions
  readonly #environment: Environment
  readonly #prefix: string
  #view: AttemptView = { phase: 'opening' }
  #api: AttemptApi
  #windowId = ''
  #answers: AnswerQueue | undefined
  #events: EventQueue | undefined
  #dwell: Dwell
  /** The visible question, or null before the first. */
  #inView: number | null = null
  /** When the start was answered. Every `at` counts from here. */
  #startedAt = 0
  #lateCount = 0
  /** The newest message number that the server has sent. */
  #news = 0
  #isClosed = false
  #isOpening = false
  #isFinishing = false
  #watch: StatusWatch | undefined
  readonly #finishPause: Pause

  constructor(options: AttemptOptions) {
    super()
    this.#options = options
    this.#environment = options.environment
    this.#prefix = attemptPrefix(options.code, options.username)
    this.#api = options.apiOf('')
    this.#finishPause = new Pause(options.environment)
    this.#dwell = new Dwell(options.environment.now)
    this.clock = new AttemptClock(options.environment, {
      onZero: () => void this.#finish(),
      onWake: () => this.wake(),
    })
  }

  readonly getView = (): AttemptView => this.#view

  /** Starts or resumes. The newest window owns the attempt. */
  async open(): Promise<void> {
    const { phase } = this.#view
    if (this.#isOpening || this.#isClosed || phase === 'running' || phase === 'submitted') return
    this.#isOpening = true
    this.#show({ phase: 'opening' })
    try {
      await this.#openWithRetries()
    } finally {
      this.#isOpening = false
    }
  }

  /** Stops sending when the screen closes. Waiting data stays on the device. */
  close(): void {
    this.#isClosed = true
    this.#stopSending()
    this.clock.stop()
    // No test is in progress here any more, so leaving the page needs no prompt.
    if (this.#view.phase === 'running') this.#show({ phase: 'opening' })
  }

  choose(questionId: number, choice: OptionLetter): void {
    const view = this.#view
    if (view.phase !== 'running' || view.isEnding || view.isSubmitting) return
    this.#answers?.choose(questionId, choice, this.#at(this.#environment.now()))
  }

  /** Notes which question is visible. The next save sends the viewing time (product 6.6.9). */
  look(questionId: number): void {
    this.#inView = questionId
    this.#dwell.look(questionId)
  }

  report(kind: EventKind, atMs: number, detail?: EventDetail): void {
    this.#dwell.note(kind, atMs, detail?.awayMs)
    if (this.#view.phase === 'running') this.#events?.add(kind, this.#at(atMs), detail)
  }

  /** Sends a help request. Like other page events, it waits on the device until it is sent. */
  askForHelp(text: string): void {
    const line = tidyHelp(text)
    this.report('help', this.#environment.now(), line === '' ? undefined : { text: line })
    this.#showRunning({})
  }

  /** Sends waiting data immediately, because the page is hidden or about to close. */
  flushBeside(): void {
    this.#answers?.flushBeside()
    this.#events?.flushBeside()
  }

  /** Retries everything and checks the clock when the network is back or the page is visible again. */
  wake(): void {
    if (this.#view.phase !== 'running') return
    this.#answers?.wake()
    this.#events?.wake()
    this.#finishPause.end()
    if (!this.#isFinishing) void this.#watch?.askNow()
  }

  /** A response announced a message, which the status contains. */
  hear(news: number): void {
    if (news > this.#news && !this.#isFinishing) void this.#watch?.askNow()
  }

  /** Marks a message as read. */
  putAway(messageId: number): void {
    const readIds = putMessageAway(this.#environment.store, this.#prefix, messageId)
    this.#showRunning({ readIds })
  }

  /** Handles that another page of this browser opened the test. */
  noticeOwner(windowId: string | null): void {
    if (windowId === null || windowId === this.#windowId || this.#view.phase !== 'running') return
    this.#takenOver(
      'This test was opened in another window. Please continue there. Nothing you saved is lost.',
    )
  }
  get ownerKey(): string {
    return ownerKey(this.#prefix)
  }

  async submit(): Promise<void> {
    if (this.#view.phase !== 'running' || this.#view.isSubmitting || this.#isFinishing) return
    this.#showRunning({ isSubmitting: true })
    const parts = this.#parts()
    if (!parts) return
    await tellEvents(parts)
    if (this.#view.phase !== 'running') return
    try {
      const ending = await handIn(parts, this.clock)
      this.#end(ending, ending.reason === 'deadline' ? 'time' : 'candidate')
    } catch (error) {
      if (this.#view.phase !== 'running') return
      this.#showRunning({ isSubmitting: false })
      if (error instanceof ApiFailure && error.code === 'incomplete') {
        this.#options.hooks.onIncomplete(error.message)
      } else if (!this.#endsHere(error)) {
        // The test continues and is submitted automatically at the deadline (product 6.9.4).
        this.#options.hooks.onSubmitFailed()
      }
    }
  }

  // --- opening

  async #openWithRetries(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#openOnce()
      } catch (error) {
        if (this.#isClosed) return
        const isTemporary = error instanceof ApiFailure && error.isTemporary && error.status !== 401
        if (!isTemporary || tries === OPEN_RETRIES) {
          return this.#show(failureView(error, this.#environment.wallNow()))
        }
        const pauseMs = retryPauseMs(tries, askedWaitMs(error), this.#environment.random)
        await new Pause(this.#environment).wait(pauseMs)
      }
    }
  }

  async #openOnce(): Promise<void> {
    const { environment, apiOf } = this.#options
    const { lateCount, overtaken } = await sendLeftovers(environment.store, this.#prefix, apiOf)
    this.#lateCount += lateCount
    const windowId = this.#options.newWindowId()
    const api = apiOf(windowId)
    const askedAt = environment.now()
    const started = await api.start()
    if (this.#isClosed) return
    this.#windowId = windowId
    this.#api = api
    this.#startedAt = environment.now()
    // Viewing times are reported per window, so a new window starts over.
    this.#dwell = new Dwell(environment.now)
    this.#dwell.look(this.#inView)
    if (started.status === 'submitted') {
      const status = await api.status()
      this.#end(endingOf(status, started.reference), null)
    } else if (started.questions.length === 0) {
      const message =
        'No questions are available for this assessment. Please contact the administrator.'
      this.#show({ phase: 'failed', failure: 'no_questions', message })
    } else {
      this.#run(started, environment.now() - askedAt, overtaken)
    }
  }

  #run(started: StartedAttempt, roundTripMs: number, overtaken: ReadonlySet<string>): void {
    const { environment } = this.#options
    const shared = { environment, prefix: this.#prefix, windowId: this.#windowId }
    const api = this.#api
    const dwell = this.#dwell
    // The server may still give a closed attempt more time, so sending continues while the view is running.
    const onFailure = (error: unknown) => this.#endsHere(error) && this.#view.phase !== 'running'
    const events: EventQueue = new EventQueue({
      ...shared,
      send: (batch) => this.#tell(api, batch),
      saveAnswers: () => answers.flush(),
      onFailure,
    })
    const answers: AnswerQueue = new AnswerQueue({
      ...shared,
      reference: started.reference,
      send: (waiting) => dwell.tell((grown) => api.save(waiting, events.lastNumber, grown)),
      onFailure,
      onChange: () => this.#showRunning({}),
    })
    this.#answers = answers
    this.#events = events
    environment.store.set(ownerKey(this.#prefix), this.#windowId)
    const { store } = environment
    answers.load(
      started.answers,
      pickLeftovers(store, this.#prefix, started.reference, started.answers, overtaken),
    )
    this.#show(runningViewOf(started, answers, readMessageIds(store, this.#prefix)))
    const { kind, opened } = this.#options.arrival
    // This event comes first, because `ready` ends the absence.
    if (kind === 'return') events.add('page_hidden', 0)
    events.add('ready', 0, { opened })
    if (kind === 'reload') events.add('reload', 0)
    this.clock.sync(started.remainingMs, roundTripMs)
    this.#watch = new StatusWatch(environment, () => this.#sync())
    this.#watch.start()
    // After a reload, messages and help requests are shown again.
    if (kind !== 'new') void this.#watch.askNow()
    if (started.remainingMs === 0) void this.#finish()
  }

  // --- running

  async #tell(api: AttemptApi, batch: PageEvent[]): Promise<void> {
    const { violations, status } = await api.report(batch)
    const view = this.#view
    if (view.phase !== 'running') return
    // The status contains the request as the server stored it.
    if (batch.some(({ kind }) => kind === 'help')) void this.#watch?.askNow()
    const counted = batch.findLast(({ kind }) => isCounted(kind))
    const isStrike = violations > view.violations
    this.#showRunning({ violations, ...(counted && isStrike ? { lastStrike: counted } : {}) })
    if (counted && isStrike) {
      this.#options.hooks.onStrike(counted, violations, view.maxViolations)
    }
    if (status === 'submitted') void this.#finish()
  }

  /** Asks the server for time and strikes, because an organizer may have changed both. */
  async #sync(): Promise<void> {
    try {
      await this.#syncOnce()
    } catch (error) {
      // Temporary failures are ignored, because the status is requested again.
      this.#endsHere(error)
    }
  }

  async #syncOnce(): Promise<void> {
    const api = this.#api
    const { status, roundTripMs } = await askStatus({ environment: this.#environment, api })
    if (this.#view.phase !== 'running') return
    if (status.status === 'submitted') return void this.#finish()
    if (status.status === 'not_started') return this.#loseAccess()
    this.#news = status.news ?? this.#news
    this.#showRunning(changeOf(status))
    this.clock.sync(status.remainingMs, roundTripMs)
    // An empty save changes nothing. It checks whether another window took over, and reports missing events.
    if (!this.#isFinishing) await api.save([], this.#events?.lastNumber ?? 0)
  }

  /** Handles an error after which this window can't simply continue. @returns whether it was one */
  #endsHere(error: unknown): boolean {
    if (!(error instanceof ApiFailure)) return false
    switch (error.code) {
      case 'taken_over':
        this.#takenOver(error.message)
        return true
      case 'already_submitted':
      case 'attempt_closed':
        void this.#finish()
        return true
      case 'bad_candidate_token':
      case 'not_started':
        this.#loseAccess(error)
        return true
      default:
        return false
    }
  }

  #takenOver(message: string): void {
    this.#stopSending()
    this.#show({ phase: 'taken_over', message })
  }

  #loseAccess(refusal: ApiFailure | null = null): void {
    this.#stopSending()
    this.#show(accessView(refusal))
  }

  // --- ending

  /** Asks the server until it answers, because the time seems to be over but may have been extended. */
  async #finish(): Promise<void> {
    if (this.#isFinishing || this.#view.phase !== 'running') return
    this.#isFinishing = true
    this.#showRunning({ isEnding: true })
    const isByTime = this.clock.remainingMs() === 0
    const parts = this.#parts()
    for (let tries = 0; parts && this.#view.phase === 'running' && !this.#isClosed; tries += 1) {
      try {
        this.#takeStep(await stepToEnd(parts), isByTime)
        break
      } catch (error) {
        const code = error instanceof ApiFailure ? error.code : ''
        if (code === 'taken_over' || code === 'bad_candidate_token') {
          this.#endsHere(error)
          break
        }
        const pauseMs = retryPauseMs(tries, askedWaitMs(error), this.#environment.random)
        await this.#finishPause.wait(pauseMs)
      }
    }
    this.#isFinishing = false
  }

  #takeStep(step: EndStep, isByTime: boolean): void {
    if (step.kind === 'gone') this.#loseAccess()
    else if (step.kind === 'more_time') {
      this.#isFinishing = false
      this.#showRunning({ isEnding: false, ...changeOf(step.status) })
      this.clock.sync(step.status.remainingMs, step.roundTripMs)
    } else {
      this.#lateCount += step.lateCount
      const { reason } = step.ending
      const by = reason === 'violations' ? 'violations' : isByTime ? 'time' : null
      this.#end(step.ending, reason === 'candidate' ? null : by)
    }
  }

  #end(ending: Ending, by: 'candidate' | 'time' | 'violations' | null): void {
    if (this.#isClosed) return
    const before = this.#view
    const title = before.phase === 'running' ? before.title : this.#options.title
    const view: SubmittedView = {
      phase: 'submitted',
      title,
      ...ending,
      lateCount: ending.reason === 'candidate' ? 0 : this.#lateCount,
    }
    this.#stopSending()
    this.clock.stop()
    const { store } = this.#environment
    for (const key of store.keys(this.#prefix)) store.remove(key)
    this.#show(view)
    this.#options.hooks.onSubmitted(view, by)
  }

  // --- common

  #parts(): Parts | null {
    const [answers, events] = [this.#answers, this.#events]
    if (!answers || !events) return null
    const dwell = this.#dwell
    return { environment: this.#environment, api: this.#api, answers, events, dwell }
  }

  #at(atMs: number): number {
    return Math.max(0, Math.round(atMs - this.#startedAt))
  }

  #stopSending(): void {
    this.#answers?.stop()
    this.#events?.stop()
    this.#watch?.stop()
    this.#finishPause.end()
  }

  #showRunning(change: Partial<RunningView>): void {
    if (this.#view.phase !== 'running') return
    const answers = this.#answers
    this.#show({
      ...this.#view,
      ...(answers ? { choices: new Map(answers.choices), saveState: answers.saveState } : {}),
      isHelpWaiting: this.#events?.has('help') ?? false,
      ...change,
    })
  }

  #show(view: AttemptView): void {
    this.#view = view
    this.changed()
  }
}
