import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { type Blocker, useNavigate } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { tabStore } from '../../../platform/web/storage.ts'
import { AskedQuestion } from '../../../platform/web/ui/asked-question.tsx'
import { Question as AskFirst } from '../../../platform/web/ui/dialog.tsx'
import type { ShownPicture } from '../../../platform/web/ui/exhibit.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import type { Attempt } from '../attempt/attempt.ts'
import type { Question, RunningView } from '../attempt/attempt-view.ts'
import { hasUsername } from '../attempt/candidate.ts'
import type { Proctor } from '../attempt/seen/proctor.ts'
import type { Process } from '../queries.ts'
import { useKeptFocus } from './kept-focus.ts'
import { QuestionNavigator } from './question-navigator.tsx'
import { SafeModeBanner } from './safe-mode-banner.tsx'
import { SocietyMessages } from './society-messages.tsx'
import { TestFooter } from './test-footer.tsx'
import { TestHeader } from './test-header.tsx'

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
  pictureOf: (picture: string) => ShownPicture
}) {
  const { attempt, view, process } = props
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const { questions, choices } = view
  // Who comes back goes on where something is missing.
  const [index, setIndex] = useState(() => {
    const firstOpen = questions.findIndex(({ id }) => !choices.has(id))
    return choices.size === 0 || firstOpen === -1 ? 0 : firstOpen
  })
  // What stands over every page knows by it that this header is here.
  useEffect(() => {
    document.documentElement.dataset.exam = 'running'
    return () => {
      delete document.documentElement.dataset.exam
    }
  }, [])
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
  const isLast = index === questions.length - 1
  const isLocked = view.isEnding || view.isSubmitting
  const open = questions.flatMap(({ id }, at) => (choices.has(id) ? [] : [at + 1]))
  const canSubmit = open.length === 0 && !isLocked
  const onKeyDown = useQuestionKeys({
    onChoose: (letter) => question && attempt.choose(question.id, letter),
    onGoOn: () => goTo(index + 1),
    // Enter on the last question asks first: a slip must not end the test (product 6.5.9).
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
      // Closed first: the way out must not ask whether to leave.
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
        <Contact contact={process?.rules.contact ?? null} />
      </main>
      <AskFirst
        open={isAsking && canSubmit}
        onOpenChange={setIsAsking}
        title="Submit the test?"
        description="Every question is answered. What is submitted is final: the assessment cannot be repeated."
      >
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Keep going
        </button>
        <button type="button" className="btn" onClick={submit}>
          Submit Test
        </button>
      </AskFirst>
      <LeaveDialog attempt={attempt} blocker={props.blocker} />
    </div>
  )
}

/** Text, not a link: a mail program that opens would be an absence. */
function Contact({ contact }: { contact: string | null }) {
  if (!contact) return null
  return (
    <p className="hint mt-8 border-line border-t pt-4 [grid-column:1/-1]">
      Trouble during the test? Contact {contact}
    </p>
  )
}

/** The end, or what seems to be it: the server is asked, as long as it takes. */
function EndingNote({ attempt }: { attempt: Attempt }) {
  const { secondsLeft } = useSyncExternalStore(attempt.clock.subscribe, attempt.clock.getView)
  return (
    <p role="alert" className="mb-6 border-mid border-l-4 bg-mid-soft px-4 py-3">
      <span className="font-medium">
        {secondsLeft === 0 ? 'The time is over.' : 'The test is being closed.'}
      </span>{' '}
      Your answers are being handed in. If the connection is gone, leave this page open: it goes on
      by itself.
    </p>
  )
}

/** Going back in the browser, a link: asked first, and counted like any other way out. */
function LeaveDialog({ attempt, blocker }: { attempt: Attempt; blocker: Blocker }) {
  return (
    <AskFirst
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title="Leave the test?"
      description="Leaving is recorded as a violation, and the clock runs on. Your answers are kept; you can come back with your username and password while there is time."
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
