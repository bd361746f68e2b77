import { CheckCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { OptionLetter } from '../../../platform/options.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { useChecksAsOneGoes, useMuted } from '../../../platform/web/preferences.ts'
import { deviceStore } from '../../../platform/web/storage.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { SittingHead } from '../sitting/sitting-head.tsx'
import type { Tick } from '../sitting/ticks.tsx'
import { outbox } from '../use-outbox.tsx'
import { beep } from './beep.ts'
import {
  createDrafts,
  type Draft,
  draftName,
  fitDraft,
  mergeDrafts,
  withChoice,
  withTime,
} from './quiz-draft.ts'
import { QuizFooter } from './quiz-footer.tsx'
import { QuizQuestion } from './quiz-question.tsx'
import { type Finished, finishTest, type QuizTest, wayBackFrom } from './quiz-state.ts'

const drafts = createDrafts(deviceStore, Date.now)
type Progress = Omit<Draft, 'savedAtMs'>

/**
 * A test under way (product 3.3.2, 3.3.5, 3.3.6): answers change freely until their verdict was seen, every
 * change is kept on the device and shown in every tab, leaving keeps the test, Finish hands the attempt to the
 * outbox and goes to the results without waiting for it.
 */
export function QuizPlayer({ userId, test }: { userId: string; test: QuizTest }) {
  const { questions } = test
  const name = draftName(test.category, test.difficulty, test.testNumber)
  const wayBack = wayBackFrom(test)
  const navigate = useNavigate()
  const [isMuted] = useMuted()
  const [checksAsOneGoes, setChecksAsOneGoes] = useChecksAsOneGoes()
  const [progress, setProgress] = useState(() =>
    fitDraft(drafts.load(userId, name), questions, Date.now()),
  )
  const isFinishing = useRef(false)
  /** since when the question has been in view and not counted yet */
  const inViewSince = useRef(Date.now())
  /** for what runs outside of a render */
  const latest = useRef(progress)
  latest.current = progress

  const question = questions[progress.index]
  const isComplete = questions.every(({ id }) => progress.answers[id])

  function keep(next: Progress): void {
    latest.current = next
    setProgress(next)
    drafts.save(userId, name, next)
  }

  /** The test with the time that the question in view has had since it was counted last. */
  function timed(of: Progress): Progress {
    const shown = questions[of.index]
    const now = Date.now()
    const spent = document.visibilityState === 'visible' ? now - inViewSince.current : 0
    inViewSince.current = now
    return shown ? withTime(of, shown.id, spent) : of
  }

  function choose(letter: OptionLetter): void {
    if (!question || isFinishing.current) return
    if (!isMuted) beep()
    keep(withChoice(timed(progress), question.id, letter, Date.now()))
  }

  function goTo(index: number): void {
    if (isFinishing.current) return
    if (!isMuted) beep()
    keep({ ...timed(progress), index })
    scrollTo(0, 0)
  }

  function check(): void {
    if (!question || isFinishing.current) return
    if (!isMuted) beep()
    keep({ ...timed(progress), checked: [...(progress.checked ?? []), question.id] })
  }

  /** Goes to the results; the draft stays until they show, and then means nothing any more. */
  async function showResults(finished: Finished): Promise<void> {
    const finish = finishTest(test, latest.current, finished, userId)
    if (!finish || isFinishing.current) return
    isFinishing.current = true
    outbox.put(userId, finish.item)
    // In place of the quiz: going back from the results leads to the tests.
    await navigate(finish.url, { state: finish.state, replace: true })
    drafts.remove(userId, name)
  }

  function finish(): void {
    if (!isComplete || isFinishing.current) return
    if (!isMuted) beep()
    const finished = progress.finished ?? {
      id: crypto.randomUUID(),
      completedAt: new Date().toISOString(),
      timeZone: deviceTimeZone(),
    }
    keep({ ...timed(progress), finished })
    void showResults(finished)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a reload interrupted Finish
  useEffect(() => {
    if (progress.finished) void showResults(progress.finished)
    // The results must show without a network too, so their code is fetched while there is one.
    import('../results/results.tsx').catch(() => {})
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes is read from `latest`
  useEffect(() => {
    /** Hidden, a question isn't looked at. */
    function onVisibility() {
      if (document.visibilityState === 'visible') inViewSince.current = Date.now()
      else if (!isFinishing.current && Object.keys(latest.current.answers).length > 0) {
        const shown = questions[latest.current.index]
        const spent = Date.now() - inViewSince.current
        inViewSince.current = Date.now()
        if (shown) keep(withTime(latest.current, shown.id, spent))
      }
    }
    /** The same test in another tab (product 3.3.15). */
    function onStorage(event: StorageEvent) {
      if (event.key !== drafts.keyOf(userId, name) || isFinishing.current) return
      const other = drafts.parse(event.newValue)
      if (other && !other.finished) setProgress(mergeDrafts(latest.current, other))
      else if (event.newValue === null && Object.keys(latest.current.answers).length > 0) {
        isFinishing.current = true
        toast.success('Finished in another tab', 'Its result is there.')
        void navigate(wayBack, { replace: true })
      }
    }
    document.addEventListener('visibilitychange', onVisibility)
    addEventListener('storage', onStorage)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('storage', onStorage)
    }
  }, [])

  if (!question) return null
  const isLast = progress.index === questions.length - 1
  const isChecked = progress.checked?.includes(question.id) ?? false
  const isAnswered = progress.answers[question.id] !== undefined
  const isToCheck = checksAsOneGoes && isAnswered && !isChecked
  const canGoOn = isLast && !isToCheck ? isComplete : isAnswered
  const goOn = () => {
    if (!canGoOn) return
    if (isToCheck) check()
    else if (isLast) finish()
    else goTo(progress.index + 1)
  }
  const goBack = () => {
    if (progress.index > 0) goTo(progress.index - 1)
  }
  const tickOf = ({ id, correctOption }: QuizTest['questions'][number], index: number): Tick => {
    const answer = progress.answers[id]
    if (progress.checked?.includes(id)) return answer === correctOption ? 'right' : 'wrong'
    return index === progress.index ? 'now' : answer ? 'done' : 'open'
  }

  return (
    <div className="sitting">
      <SittingHead
        title={[
          test.category,
          test.difficulty,
          test.testNumber === null ? 'Your mistakes' : `Test ${test.testNumber}`,
        ].join(' · ')}
        closeTo={wayBack}
        closeLabel="Close test"
        index={progress.index}
        ticks={questions.map(tickOf)}
      >
        <button
          type="button"
          aria-pressed={checksAsOneGoes}
          title={
            checksAsOneGoes
              ? 'Each answer is judged once you confirm it'
              : 'Answers are judged at the end'
          }
          onClick={() => setChecksAsOneGoes(!checksAsOneGoes)}
          className={`flex min-h-11 items-center gap-2 px-2 text-[14px] ${checksAsOneGoes ? 'text-ink' : 'text-ink-2 hover:text-ink'}`}
        >
          <CheckCheck size={20} aria-hidden />
          <span className="max-nav:sr-only">Check as I go</span>
          <span aria-hidden className="w-6 text-start max-nav:hidden">
            {checksAsOneGoes ? 'on' : 'off'}
          </span>
        </button>
      </SittingHead>
      <main className="flex flex-1 flex-col">
        <QuizQuestion
          question={question}
          number={progress.index + 1}
          chosen={progress.answers[question.id]}
          isJudged={isChecked}
          onChoose={choose}
          onGoOn={goOn}
          onGoBack={goBack}
        />
        <QuizFooter
          isFirst={progress.index === 0}
          isLast={isLast}
          isToCheck={isToCheck}
          canGoOn={canGoOn}
          onGoOn={goOn}
          onGoBack={goBack}
        />
      </main>
    </div>
  )
}
