import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { clockTime } from '../../../platform/durations.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { URLS } from '../../../platform/urls.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { useChecksAsIGo, useConfirmsAnswers } from '../../../platform/web/preferences.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { StandalonePage } from '../../../platform/web/ui/page.tsx'
import type { Question } from '../../question.ts'
import { SECONDS_A_QUESTION } from '../build/built-test.ts'
import { slipsQuery } from '../queries.ts'
import { AnswerNote, AnswerOptions, SittingQuestion } from '../sitting/answer.tsx'
import { SittingFooter, SittingHead } from '../sitting/frame.tsx'
import type { Tick } from '../sitting/ticks.tsx'
import { mistakeTitles } from '../slips/slip-words.ts'
import { outbox } from '../use-outbox.tsx'
import { useBeep } from './beep.ts'
import { type Progress, useQuizDraft, useTimeInView } from './quiz-draft.ts'
import {
  type Finished,
  finishTest,
  nameOfTest,
  type QuizTest,
  type ResultsState,
  wayBackFrom,
} from './quiz-state.ts'

/** Plays a test and stores it on the device; Finish doesn't need the server (product 3.3.2, 3.3.5, 3.3.6, 3.3.16). */
export function QuizPlayer({ userId, test }: { userId: string; test: QuizTest }) {
  const { questions } = test
  const beep = useBeep()
  const [confirms] = useConfirmsAnswers()
  const [checks, setChecks] = useChecksAsIGo(userId)
  const isBuilt = test.built !== undefined
  const draft = useQuizDraft(userId, nameOfTest(test), questions, isBuilt)
  const { progress, isLostOnReload, keep, look, timesNow } = draft
  const { isFinishing, isElsewhere, showResults, finish } = useFinish(test, userId, draft)
  const slips = useQuery({ ...slipsQuery(), enabled: checks })

  const question = questions[progress.index]
  const chosen = question && progress.answers[question.id]
  const isChecked = question !== undefined && progress.checked.includes(question.id)
  useTimeInView(question?.id, isChecked || isElsewhere, look)

  const checkedAnswers = questions.map((one) => ({
    question: one,
    selected: progress.checked.includes(one.id) ? progress.answers[one.id] : undefined,
  }))

  function choose(letter: OptionLetter): void {
    if (!question || isChecked || isFinishing.current) return
    beep()
    const { id } = question
    const isJudgedAtOnce = checks && !confirms
    keep((now) => ({
      ...now,
      answers: { ...now.answers, [id]: letter },
      chosenAtMs: { ...now.chosenAtMs, [id]: Date.now() },
      checked: isJudgedAtOnce ? [...now.checked, id] : now.checked,
    }))
  }

  function check(): void {
    if (!question || !chosen) return
    beep()
    keep((now) => ({ ...now, checked: [...now.checked, question.id] }))
  }

  function goTo(index: number): void {
    if (isFinishing.current) return
    beep()
    keep((now) => ({ ...now, index }))
    scrollTo(0, 0)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after a reload interrupted Finish
  useEffect(() => {
    if (progress.finished) void showResults(progress, progress.finished)
    // The results must work offline, so their code is fetched early.
    fetchScreenAhead(URLS.errorResults)
  }, [])

  if (!question) return null
  if (progress.finished && isElsewhere) {
    const finished = finishTest(test, progress, progress.finished, userId)
    return <FinishedElsewhere results={finished} backTo={wayBackFrom(test)} />
  }
  const isLast = progress.index === questions.length - 1
  const isComplete = questions.every(({ id }) => progress.answers[id])
  const isToCheck = checks && !isChecked
  const canGoOn = isLast && !isToCheck ? isComplete : chosen !== undefined
  const goOn = () => {
    if (!canGoOn) return
    if (isToCheck) check()
    else if (isLast) finish()
    else goTo(progress.index + 1)
  }
  const goBack = () => {
    if (progress.index > 0) goTo(progress.index - 1)
  }

  return (
    <div className="sitting">
      <SittingHead
        title={titleOf(test)}
        closeTo={wayBackFrom(test)}
        closeLabel="Close test"
        index={progress.index}
        ticks={questions.map((_, index) => tickOf(test, progress, index))}
        isLostOnReload={isLostOnReload}
      >
        {test.built && test.built.clock !== 'off' && (
          <QuizPace
            clock={test.built.clock}
            questions={questions.length}
            at={progress.index}
            timesNow={timesNow}
            onOver={finish}
          />
        )}
      </SittingHead>
      <main className="flex flex-1 flex-col">
        <QuizQuestion
          key={question.id}
          question={question}
          number={progress.index + 1}
          chosen={chosen}
          isChecked={isChecked}
          mistakeTitle={mistakeTitles(checkedAnswers, slips.data)[progress.index]}
          checks={checks}
          onChecksChange={setChecks}
          onChoose={choose}
          onGoOn={goOn}
          onGoBack={goBack}
        />
        <SittingFooter
          isFirst={progress.index === 0}
          step={isToCheck ? 'Check' : isLast ? 'Finish Test' : 'Next'}
          canChoose={!isChecked}
          canGoOn={canGoOn}
          onGoOn={goOn}
          onGoBack={goBack}
        />
      </main>
    </div>
  )
}

function useFinish(test: QuizTest, userId: string, draft: ReturnType<typeof useQuizDraft>) {
  const { progress, keep, look, end, forget } = draft
  const navigate = useNavigate()
  const beep = useBeep()
  const isFinishing = useRef(false)
  // If a reload interrupted Finish in this tab, the results open without a click.
  const wasFinished = useRef(progress.finished !== undefined)
  const isElsewhere =
    progress.finished !== undefined && !isFinishing.current && !wasFinished.current

  /** Opens the results. The draft stays until they are shown. */
  async function showResults(answered: Progress, finished: Finished): Promise<void> {
    const finish = finishTest(test, answered, finished, userId)
    if (!finish || isFinishing.current) return
    isFinishing.current = true
    end()
    if (finish.item) outbox.put(userId, finish.item)
    // This replaces the quiz, so going back leads to the tests.
    await navigate(finish.url, { state: finish.state, replace: true })
    forget()
  }

  function finish(): void {
    if (isFinishing.current) return
    beep()
    look(null)
    const answered = keep((now) => ({
      ...now,
      finished: now.finished ?? {
        id: crypto.randomUUID(),
        completedAt: new Date().toISOString(),
        timeZone: deviceTimeZone(),
      },
    }))
    if (answered.finished) void showResults(answered, answered.finished)
  }

  return { isFinishing, isElsewhere, showResults, finish }
}

const titleOf = ({ category, difficulty, testNumber, built }: QuizTest): string =>
  built
    ? built.title
    : [category, difficulty, testNumber === null ? 'Your mistakes' : `Test ${testNumber}`].join(
        ' · ',
      )

function tickOf(test: QuizTest, progress: Progress, index: number): Tick {
  const question = test.questions[index]
  if (!question) return 'open'
  const answer = progress.answers[question.id]
  if (progress.checked.includes(question.id)) {
    return answer === question.correctOption ? 'right' : 'wrong'
  }
  if (index === progress.index) return 'now'
  return answer ? 'done' : 'open'
}

function FinishedElsewhere(props: {
  results: { url: string; state: ResultsState } | null
  backTo: string
}) {
  const { results } = props
  return (
    <StandalonePage>
      <Message
        title="You finished this test in another tab"
        isError
        actions={
          <>
            {results && (
              <Link to={results.url} state={results.state} replace className="btn">
                See the results
              </Link>
            )}
            <Link to={props.backTo} className={results ? 'btn btn-ghost' : 'btn'}>
              Back to Tests
            </Link>
          </>
        }
      >
        It includes your answers from both tabs.
      </Message>
    </StandalonePage>
  )
}

const LAST_SECONDS = 30

/** Shows a custom test's time left, which ends it, or the pace (product 3.14.7). Only time in view counts. */
function QuizPace(props: {
  clock: 'pace' | 'timed'
  questions: number
  at: number
  timesNow: () => Record<string, number>
  onOver: () => void
}) {
  const { clock, questions, at } = props
  const [seconds, setSeconds] = useState(() => secondsOf(props.timesNow()))
  const isTimed = clock === 'timed'
  const tick = useEffectEvent(() => {
    const now = secondsOf(props.timesNow())
    setSeconds(now)
    if (isTimed && now >= questions * SECONDS_A_QUESTION) props.onOver()
  })
  useEffect(() => {
    const timer = setInterval(() => tick(), 500)
    return () => clearInterval(timer)
  }, [])

  const left = Math.max(0, questions * SECONDS_A_QUESTION - seconds)
  const isShort = isTimed && left <= LAST_SECONDS
  return (
    <p
      role="timer"
      aria-label={isTimed ? 'Time left' : 'Pace'}
      className={`fig whitespace-nowrap text-[15px] ${isShort ? 'text-wrong' : isTimed ? '' : 'text-ink-2'}`}
    >
      {isTimed ? clockTime(left) : paceWords(at * SECONDS_A_QUESTION - seconds)}
    </p>
  )
}

const secondsOf = (times: Record<string, number>): number =>
  Math.floor(Object.values(times).reduce((sum, ms) => sum + ms, 0) / 1000)

/** A person is late after using up this question's time and the time saved before. */
function paceWords(ahead: number): string {
  const late = -ahead - SECONDS_A_QUESTION
  if (late > 0) return `${clockTime(late)} behind`
  return ahead > 0 ? `${clockTime(ahead)} ahead` : 'on pace'
}

function QuizQuestion(props: {
  question: Question
  number: number
  chosen: OptionLetter | undefined
  isChecked: boolean
  mistakeTitle: string | undefined
  checks: boolean
  onChecksChange: (checks: boolean) => void
  onChoose: (letter: OptionLetter) => void
  onGoOn: () => void
  onGoBack: () => void
}) {
  const { question, chosen, isChecked } = props
  const judged = isChecked ? chosen : undefined
  const onKeyDown = useQuestionKeys(props)
  const headingId = `question-${question.id}`
  const wasChecked = useRef(isChecked)
  useEffect(() => {
    // The focused option is gone after the verdict, so the question gets the focus for the keys.
    if (isChecked && !wasChecked.current && document.activeElement === document.body) {
      document.getElementById(headingId)?.focus({ preventScroll: true })
    }
    wasChecked.current = isChecked
  }, [isChecked, headingId])
  return (
    <SittingQuestion
      id={headingId}
      eyebrow={<span aria-hidden>Question {props.number}</span>}
      aside={<CheckSwitch isOn={props.checks} onChange={props.onChecksChange} />}
      spokenNumber={`Question ${props.number}`}
      text={question.question}
      onKeyDown={onKeyDown}
      isAlone={!props.checks && !isChecked}
      margin={
        judged && (
          <AnswerNote
            question={question}
            chosen={judged}
            isRight={judged === question.correctOption}
            mistakeTitle={props.mistakeTitle}
          />
        )
      }
    >
      <AnswerOptions
        labelledBy={headingId}
        options={question.options}
        correctOption={question.correctOption}
        chosen={chosen}
        judged={judged}
        onChoose={props.onChoose}
        className="mt-6 gap-3 sm:mt-8"
      />
    </SittingQuestion>
  )
}

function CheckSwitch(props: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="-my-2.5 flex min-h-11 flex-none cursor-pointer items-center gap-2.5 text-[14px] text-ink-2">
      Check as I go
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox has its own state
        role="switch"
        className="switch"
        checked={props.isOn}
        onChange={(event) => props.onChange(event.target.checked)}
        // Enter opens the next question only when the question has the focus.
        onKeyDown={(event) => event.stopPropagation()}
      />
    </label>
  )
}
