import { useEffect, useRef, useState } from 'react'
import { useBlocker, useNavigate } from 'react-router'
import type { OptionLetter } from '../../../platform/options.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { useMuted } from '../../../platform/web/preferences.ts'
import { deviceStore } from '../../../platform/web/storage.ts'
import { Question as AskFirst } from '../../../platform/web/ui/dialog.tsx'
import { SittingHead } from '../sitting/sitting-head.tsx'
import { outbox } from '../use-outbox.tsx'
import { beep } from './beep.ts'
import { createDrafts, type Draft, draftName, fitDraft } from './quiz-draft.ts'
import { QuizFooter } from './quiz-footer.tsx'
import { QuizQuestion } from './quiz-question.tsx'
import { type Finished, finishTest, type QuizTest, wayBackFrom } from './quiz-state.ts'

const drafts = createDrafts(deviceStore, Date.now)
type Progress = Omit<Draft, 'savedAtMs'>

/**
 * A test under way (product 3.3.2, 3.3.5, 3.3.6): answers change freely, every change is kept on the
 * device, Finish hands the attempt to the outbox and goes to the results without waiting for it.
 */
export function QuizPlayer({ userId, test }: { userId: string; test: QuizTest }) {
  const { questions } = test
  const name = draftName(test.category, test.difficulty, test.testNumber)
  const navigate = useNavigate()
  const [isMuted] = useMuted()
  const [progress, setProgress] = useState(() =>
    fitDraft(drafts.load(userId, name), questions, Date.now()),
  )
  const isFinishing = useRef(false)

  const isComplete = questions.every(({ id }) => progress.answers[id])
  const hasAnswers = Object.keys(progress.answers).length > 0
  const blocker = useBlocker(() => hasAnswers && !isFinishing.current)

  function keep(next: Progress): void {
    setProgress(next)
    drafts.save(userId, name, next)
  }

  function choose(letter: OptionLetter): void {
    const question = questions[progress.index]
    if (!question || isFinishing.current) return
    if (!isMuted) beep()
    keep({ ...progress, answers: { ...progress.answers, [question.id]: letter } })
  }

  function goTo(index: number): void {
    if (isFinishing.current) return
    if (!isMuted) beep()
    keep({ ...progress, index })
    scrollTo(0, 0)
  }

  /** Goes to the results; the draft stays until they show, and then means nothing any more. */
  async function showResults(finished: Finished): Promise<void> {
    const finish = finishTest(test, progress, finished, userId)
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
    keep({ ...progress, finished })
    void showResults(finished)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a reload interrupted Finish
  useEffect(() => {
    if (progress.finished) void showResults(progress.finished)
    // The results must show without a network too, so their code is fetched while there is one.
    import('../results.tsx').catch(() => {})
  }, [])

  const question = questions[progress.index]
  if (!question) return null
  const isLast = progress.index === questions.length - 1
  const canGoOn = isLast ? isComplete : progress.answers[question.id] !== undefined
  const goOn = () => {
    if (!canGoOn) return
    if (isLast) finish()
    else goTo(progress.index + 1)
  }
  const goBack = () => {
    if (progress.index > 0) goTo(progress.index - 1)
  }

  return (
    <div className="sitting">
      <SittingHead
        title={[
          test.category,
          test.difficulty,
          test.testNumber === null ? 'Your mistakes' : `Test ${test.testNumber}`,
        ].join(' · ')}
        closeTo={wayBackFrom(test)}
        closeLabel="Close test"
        index={progress.index}
        ticks={questions.map(({ id }, index) =>
          index === progress.index ? 'now' : progress.answers[id] ? 'done' : 'open',
        )}
      />
      <main className="flex flex-1 flex-col">
        <QuizQuestion
          question={question}
          number={progress.index + 1}
          chosen={progress.answers[question.id]}
          onChoose={choose}
          onGoOn={goOn}
          onGoBack={goBack}
        />
        <QuizFooter
          isFirst={progress.index === 0}
          isLast={isLast}
          canGoOn={canGoOn}
          onGoOn={goOn}
          onGoBack={goBack}
        />
      </main>
      <AskFirst
        open={blocker.state === 'blocked'}
        onOpenChange={(open) => !open && blocker.reset?.()}
        title="Leave this test?"
        description="You haven't finished it yet. If you leave now, your answers to it are lost."
      >
        <button type="button" className="btn" onClick={() => blocker.reset?.()}>
          Keep going
        </button>
        <button
          type="button"
          className="btn btn-ghost"
          onClick={() => {
            drafts.remove(userId, name)
            blocker.proceed?.()
          }}
        >
          Leave test
        </button>
      </AskFirst>
    </div>
  )
}
