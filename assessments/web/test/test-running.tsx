import { Maximize, ShieldCheck } from 'lucide-react'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { type Blocker, useNavigate } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { tabStore } from '../../../platform/web/storage.ts'
import { AskedQuestion } from '../../../platform/web/ui/asked-question.tsx'
import { Question as AskFirst } from '../../../platform/web/ui/dialog.tsx'
import type { ShownPicture } from '../../../platform/web/ui/exhibit.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { nameOfAct } from '../../violations.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { Question, RunningView } from '../attempt/attempt-view.ts'
import { hasUsername } from '../attempt/candidate.ts'
import type { Proctor } from '../attempt/seen/proctor.ts'
import type { Process } from '../queries.ts'
import { AskForHelp } from './ask-for-help.tsx'
import { TestFooter } from './test-footer.tsx'
import { SocietyMessages, TestHeader } from './test-header.tsx'

const headingIdOf = (question: Question) => `question-${question.id}`

/** A test in progress (product 6.5). */
export function RecruitmentTestRunning(props: {
  attempt: Attempt
  view: RunningView
  proctor: Proctor | null
  isOffline: boolean
  blocker: Blocker
  code: string
  process: Process | undefined
  /** False in a rehearsal or a mock superday, which have no helpers. */
  canAskForHelp: boolean
  pictureOf: (picture: string) => ShownPicture
}) {
  const { attempt, view, process } = props
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const { questions, choices } = view
  const { question, index, setIndex, focusQuestion } = useAskedQuestion(attempt, view)
  // Tells overlays on every page that this header is shown.
  useEffect(() => {
    document.documentElement.dataset.exam = 'running'
    return () => {
      delete document.documentElement.dataset.exam
    }
  }, [])
  const isLast = index === questions.length - 1
  const isLocked = view.isEnding || view.isSubmitting
  const open = questions.flatMap(({ id }, at) => (choices.has(id) ? [] : [at + 1]))
  const canSubmit = open.length === 0 && !isLocked
  const onKeyDown = useQuestionKeys({
    onChoose: (letter) => question && attempt.choose(question.id, letter),
    onGoOn: () => goTo(index + 1),
    // Enter on the last question asks first, so that a slip doesn't end the test (product 6.5.9).
    onEnter: () => (isLast ? setIsAsking(canSubmit) : goTo(index + 1)),
    onGoBack: () => goTo(index - 1),
  })
  if (!question) return null

  function goTo(next: number): void {
    if (next < 0 || next >= questions.length || isLocked) return
    setIndex(next)
    scrollTo(0, 0)
  }

  function submit(): void {
    setIsAsking(false)
    if (!canSubmit) return
    if (!hasUsername(tabStore, props.code)) {
      // Closes the attempt first, so that the redirect doesn't ask whether to leave.
      attempt.close()
      toast.error('Error', 'Username not found. Please restart the test.')
      void navigate(URLS.recruitment)
      return
    }
    void attempt.submit()
  }

  const hasNavigator = process?.navigator === true
  return (
    <div className="flex min-h-dvh flex-col">
      <TestHeader
        attempt={attempt}
        view={view}
        isOffline={props.isOffline}
        durationSeconds={process?.durationSeconds}
        onGone={focusQuestion}
      />
      <SafeModeBanner view={view} proctor={props.proctor} onFullscreen={focusQuestion} />
      <main
        className={`wrap flex-1 pt-9 pb-14 sm:pt-11 ${
          hasNavigator
            ? 'grid content-start items-start gap-x-12 gap-y-8 min-[900px]:grid-cols-[minmax(0,1fr)_388px]'
            : 'max-w-[760px]'
        }`}
      >
        <div>
          {view.isEnding && <EndingNote attempt={attempt} />}
          <AskedQuestion
            headingId={headingIdOf(question)}
            question={question.question}
            options={question.options}
            exhibit={question.exhibit}
            picture={
              question.exhibit?.kind === 'picture'
                ? props.pictureOf(question.exhibit.picture)
                : undefined
            }
            number={index + 1}
            total={questions.length}
            answeredCount={choices.size}
            chosen={choices.get(question.id)}
            isLocked={isLocked}
            onChoose={(letter) => attempt.choose(question.id, letter)}
            onKeyDown={onKeyDown}
          />
          <TestFooter
            isFirst={index === 0}
            isLast={isLast}
            open={open}
            isSubmitting={view.isSubmitting}
            isLocked={isLocked}
            isCentred={hasNavigator}
            onGoOn={() => goTo(index + 1)}
            onGoBack={() => goTo(index - 1)}
            onSubmit={submit}
          />
        </div>
        {hasNavigator && (
          <QuestionNavigator
            answered={questions.map(({ id }) => choices.has(id))}
            index={index}
            onGoTo={goTo}
          />
        )}
        <SocietyMessages view={view} durationSeconds={process?.durationSeconds} />
        {props.canAskForHelp && <AskForHelp attempt={attempt} view={view} />}
        <Contact contact={process?.rules.contact ?? null} />
      </main>
      <SubmitDialog open={isAsking && canSubmit} onOpenChange={setIsAsking} onSubmit={submit} />
      <LeaveDialog attempt={attempt} blocker={props.blocker} />
    </div>
  )
}

/** The current question. A returning candidate continues at the first unanswered one. */
function useAskedQuestion(attempt: Attempt, { questions, choices }: RunningView) {
  const [index, setIndex] = useState(() => {
    const firstOpen = questions.findIndex(({ id }) => !choices.has(id))
    return choices.size === 0 || firstOpen === -1 ? 0 : firstOpen
  })
  const question = questions[index]
  const questionId = question?.id
  useEffect(() => {
    if (questionId !== undefined) attempt.look(questionId)
  }, [attempt, questionId])
  const headingId = question && headingIdOf(question)
  const focusQuestion = useCallback(() => {
    if (headingId) document.getElementById(headingId)?.focus({ preventScroll: true })
  }, [headingId])
  useKeptFocus(focusQuestion)
  return { question, index, setIndex, focusQuestion }
}

function SubmitDialog(props: {
  open: boolean
  onOpenChange: (open: boolean) => void
  onSubmit: () => void
}) {
  return (
    <AskFirst
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Submit the test?"
      description="Every question is answered. Your submission is final, and you can’t repeat the assessment."
    >
      <button type="button" className="btn btn-ghost" onClick={() => props.onOpenChange(false)}>
        Keep going
      </button>
      <button type="button" className="btn" onClick={props.onSubmit}>
        Submit Test
      </button>
    </AskFirst>
  )
}

/** This is text instead of a link, because an opening mail program would be an absence. */
function Contact({ contact }: { contact: string | null }) {
  if (!contact) return null
  return (
    <p className="hint mt-8 border-line border-t pt-4 [grid-column:1/-1]">
      Problems during the test? Contact {contact}
    </p>
  )
}

/** Shown when the test seems to be over, while the page asks the server. */
function EndingNote({ attempt }: { attempt: Attempt }) {
  const { secondsLeft } = useSyncExternalStore(attempt.clock.subscribe, attempt.clock.getView)
  return (
    <p role="alert" className="mb-6 border-mid border-l-4 bg-mid-soft px-4 py-3">
      <span className="font-medium">
        {secondsLeft === 0 ? 'Time is up.' : 'The test is closing.'}
      </span>{' '}
      Your answers are being submitted. If you’re offline, leave this page open. It continues by
      itself.
    </p>
  )
}

/** Asks before the candidate leaves through Back or a link, which counts as an absence. */
function LeaveDialog({ attempt, blocker }: { attempt: Attempt; blocker: Blocker }) {
  return (
    <AskFirst
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave the test?"
      description="Leaving is recorded as a violation, and the clock keeps running. Your answers are kept, and you can come back with your username and password while there is time."
    >
      <button type="button" className="btn" onClick={() => blocker.reset?.()}>
        Stay in the test
      </button>
      <button
        type="button"
        className="btn btn-ghost"
        onClick={() => {
          attempt.report('page_hidden', performance.now())
          blocker.proceed?.()
        }}
      >
        Leave the test
      </button>
    </AskFirst>
  )
}

/** Milliseconds for the code that removed the control to move the focus itself, as a closing dialog does. */
const SETTLE_MS = 100

/** Focuses the question when the focused control is removed or disabled. */
function useKeptFocus(focusQuestion: () => void): void {
  useEffect(() => {
    let last = document.activeElement
    let timer: ReturnType<typeof setTimeout> | undefined
    const onFocus = (event: FocusEvent) => {
      if (event.target instanceof Element) last = event.target
    }
    const look = (isLast = false) => {
      timer = undefined
      const { activeElement } = document
      if (!activeElement || activeElement === document.body || isOff(activeElement)) focusQuestion()
      // A control that is disabled only briefly loses the focus a few frames after it is enabled again.
      else if (!isLast) timer = setTimeout(look, 3 * SETTLE_MS, true)
    }
    const observer = new MutationObserver(() => {
      // A click outside all controls removes the focus on purpose, and then the control is still there.
      if (last && isOff(last)) timer ??= setTimeout(look, SETTLE_MS)
    })
    document.addEventListener('focusin', onFocus)
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled'],
    })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [focusQuestion])
}

function isOff(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled')
}

/** The question navigator: 10 columns, or 6 for touch, where a target needs 44 pixels (product 6.5.5). */
function QuestionNavigator(props: {
  answered: boolean[]
  index: number
  onGoTo: (index: number) => void
}) {
  const isComplete = props.answered.every(Boolean)
  return (
    <nav aria-labelledby="navigator" className="card p-4 sm:p-5">
      <h2 id="navigator" className="eyebrow font-sans leading-normal">
        Questions
      </h2>
      <ol className="mt-3 grid grid-cols-10 gap-1.5 max-sm:grid-cols-6 pointer-coarse:grid-cols-6">
        {props.answered.map((isAnswered, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: each question's position identifies it
          <li key={index}>
            <button
              type="button"
              aria-label={`Question ${index + 1}, ${isAnswered ? 'answered' : 'not answered'}`}
              aria-current={index === props.index ? 'step' : undefined}
              onClick={() => props.onGoTo(index)}
              className={`grid aspect-square min-h-6 w-full max-sm:min-h-11 pointer-coarse:min-h-11 place-items-center rounded-[4px] border text-[13px] ${lookOf(isAnswered, index === props.index)}`}
            >
              {index + 1}
            </button>
          </li>
        ))}
      </ol>
      <p className="hint mt-4">
        {isComplete
          ? 'Every question is answered. Submit on the last one.'
          : 'You can submit once every question is answered.'}
      </p>
    </nav>
  )
}

function lookOf(isAnswered: boolean, isCurrent: boolean): string {
  const fill = isAnswered
    ? 'bg-ink border-ink text-paper'
    : 'border-line-strong text-ink-2 hover:text-ink'
  if (!isCurrent) return fill
  // The ring marks the current question, the fill an answered one. A question can have both.
  return isAnswered
    ? `${fill} ring-2 ring-accent ring-offset-1 ring-offset-surface font-semibold`
    : 'border-2 border-accent text-accent font-semibold'
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** 'Exam Safe Mode' (product 6.5.2): the rules, and the last recorded violation. */
function SafeModeBanner(props: {
  view: RunningView
  proctor: Proctor | null
  /** Called when the pressed button is removed. */
  onFullscreen: () => void
}) {
  const { view, proctor } = props
  const { lastStrike, violations, maxViolations } = view
  const isFullscreen = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
  const canEnter = document.fullscreenEnabled && !isFullscreen
  return (
    <aside aria-label="Exam Safe Mode" className="border-line border-b bg-sunken">
      {/* The height never changes with the button or a strike, so that options don't move under a finger. */}
      <div className="wrap flex min-h-14 short:min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 short:py-1 text-[15px] max-sm:min-h-22">
        {/* On a phone the recorded violation has a separate line below the button. */}
        <p className="contents">
          <span className="flex items-center gap-3 font-semibold">
            <ShieldCheck size={18} aria-hidden className="flex-none" />
            Exam Safe Mode
          </span>
          {lastStrike && violations > 0 ? (
            <span className="max-sm:order-last max-sm:basis-full max-sm:text-[13px] sm:mr-auto">
              Recorded: {nameOfAct(lastStrike.kind, lastStrike.detail?.key)}, strike {violations}/
              {maxViolations}.
            </span>
          ) : (
            <span className="max-sm:order-last max-sm:basis-full max-sm:text-[13px] sm:mr-auto">
              Leaving this page, copying and shortcuts are recorded.
            </span>
          )}
        </p>
        {canEnter && (
          <button
            type="button"
            className="btn btn-ghost btn-nav"
            onClick={() => {
              proctor?.expectFullscreen()
              document.documentElement.requestFullscreen().then(props.onFullscreen, () => {
                // The browser may refuse fullscreen, and the test continues without it.
              })
            }}
          >
            <Maximize size={16} aria-hidden />
            Enter Fullscreen
          </button>
        )}
      </div>
    </aside>
  )
}
