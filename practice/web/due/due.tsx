import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { dayAfter, localDay } from '../../../platform/local-day.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { URLS } from '../../../platform/urls.ts'
import { useOffline } from '../../../platform/web/connection/connectivity.ts'
import { dayName, deviceTimeZone } from '../../../platform/web/dates.ts'
import { useConfirmsAnswers } from '../../../platform/web/preferences.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Message } from '../../../platform/web/ui/message.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { countOf } from '../../../platform/words.ts'
import { intervalOf, personSpread, type Spread, stepsOf } from '../../schedule/schedule.ts'
import { dueQuery, slipsBeforeQuery } from '../queries.ts'
import { useBeep } from '../quiz/beep.ts'
import { ReportProblem } from '../report-problem.tsx'
import { AnswerNote, AnswerOptions, SittingQuestion, useTimeShown } from '../sitting/answer.tsx'
import { SittingHead, SittingSkeleton, StepBar } from '../sitting/frame.tsx'
import { mistakeTitles } from '../slips/slip-words.ts'
import { topicName } from '../topics.ts'
import { outbox } from '../use-outbox.tsx'
import {
  againIn,
  asOutboxItem,
  DUE,
  dueSittings,
  isBackBefore,
  type Judged,
  judge,
  NOT_AGAIN,
  queueOf,
  type Sitting,
  sumUp,
  ticksOf,
  withAnswer,
  withGuess,
} from './due-sitting.ts'

/** /due (product 3.10.6): continues today's sitting or starts today's ten questions. */
export function Due() {
  const user = useUser()
  useTitle('Due today')
  const [begun] = useState(() => dueSittings.load(user.id, DUE))
  return begun ? <DuePlayer userId={user.id} begun={begun} /> : <NewSitting userId={user.id} />
}

function NewSitting({ userId }: { userId: string }) {
  // The day stays the same even if midnight passes.
  const [today] = useState(() => localDay(Date.now(), deviceTimeZone()))
  const due = useQuery(dueQuery(today))
  const isOffline = useOffline()
  const [id] = useState(() => crypto.randomUUID())
  const [wantsNew, setWantsNew] = useState(false)
  const { data } = due
  // A plan's questions open without a page in between.
  const isAsked = wantsNew || (data?.plan ? data.plan.left > 0 : (data?.dueCount ?? 0) > 0)
  if (data && data.items.length > 0 && isAsked) {
    const { day, dueCount, plan, items } = data
    return <DuePlayer userId={userId} begun={{ id, day, dueCount, plan, items, given: [] }} />
  }
  if (data) {
    const more = data.plan ? 'more' : 'new'
    return (
      <StandalonePage>
        <Message
          title={data.plan ? 'Today is done.' : 'Nothing is due today.'}
          actions={
            <>
              {data.items.length > 0 && (
                <button type="button" className="btn" onClick={() => setWantsNew(true)}>
                  {data.items.length === 1
                    ? `One ${more} question`
                    : `${data.items.length} ${more} questions`}
                </button>
              )}
              <Link to={URLS.dashboard} className={data.items.length > 0 ? 'btn btn-ghost' : 'btn'}>
                Dashboard
              </Link>
            </>
          }
        >
          What you answer comes back when you are about to forget it: mistakes soon, the rest later.
        </Message>
      </StandalonePage>
    )
  }
  if (due.isError) {
    return (
      <StandalonePage>
        <NotLoaded
          title="Reviews could not be loaded"
          query={due}
          wayOut={{ to: URLS.dashboard, name: 'Dashboard' }}
        >
          {isOffline &&
            'Offline, you have the ten questions for today and tomorrow if they were prepared. Drills, answers aloud and tests you have opened still work.'}
        </NotLoaded>
      </StandalonePage>
    )
  }
  return <SittingSkeleton closeTo={URLS.dashboard} closeLabel="Close the review" />
}

/** Plays due questions with verdicts (product 3.10.6, 3.10.7). Answers go to the device and the outbox. */
function DuePlayer({ userId, begun }: { userId: string; begun: Sitting }) {
  const navigate = useNavigate()
  const beep = useBeep()
  const [confirms] = useConfirmsAnswers()
  const [sitting, setSitting] = useState(begun)
  const [place, setPlace] = useState(() => Math.min(begun.given.length, queueOf(begun).length - 1))
  const [chosen, setChosen] = useState<OptionLetter>()
  const slips = useQuery(slipsBeforeQuery(begun.id))
  const timeShown = useTimeShown(place)

  const spreadOf = (family: string) => personSpread(userId, family)
  const queue = queueOf(sitting)
  const item = queue[place]
  const judged = judge(sitting, place, spreadOf)
  const isLast = place === queue.length - 1
  const canGuess = judged?.isRight === true && !judged.isAgain && !judged.given.isGuess

  // Repeated questions already counted the first time.
  const firstAnswers = sitting.items.map(({ question }, index) => ({
    question,
    selected: sitting.given[index]?.choice,
  }))

  function keep(next: Sitting): void {
    setSitting(next)
    dueSittings.save(userId, DUE, next)
    outbox.put(userId, asOutboxItem(next))
  }

  function answer(choice: OptionLetter): void {
    const times = { tookMs: timeShown(), answeredAt: new Date().toISOString() }
    keep(withAnswer(sitting, choice, times))
    setChosen(undefined)
  }

  function choose(letter: OptionLetter): void {
    if (judged) return
    beep()
    if (confirms) setChosen(letter)
    else answer(letter)
  }

  function goOn(): void {
    if (!judged) {
      if (chosen) answer(chosen)
      return
    }
    beep()
    if (!isLast) {
      setPlace(place + 1)
      scrollTo(0, 0)
      return
    }
    const done = sumUp(sitting, userId, spreadOf)
    dueSittings.remove(userId, DUE)
    void navigate(URLS.dueDone, { state: done, replace: true })
  }

  function guess(): void {
    if (canGuess) keep(withGuess(sitting))
  }

  const onKeyDown = useQuestionKeys({ onChoose: choose, onEnter: goOn, onGuess: guess })

  if (!item) return null
  const { question } = item
  // A question can come twice, so its place makes the id.
  const id = `due-${place}`
  const { ticks, index } = ticksOf(sitting, place)
  const isAgain = place >= sitting.items.length
  const againCount = countOf(queue.length - sitting.items.length, 'question')
  const title = sitting.plan ? 'Today' : 'Due today'
  const interviewOn = sitting.plan?.interviewOn
  return (
    <div className="sitting">
      <SittingHead
        title={isAgain ? `Second try: ${againCount} you missed` : title}
        closeTo={URLS.dashboard}
        closeLabel="Close the review"
        index={index}
        ticks={ticks}
        isLostOnReload={dueSittings.isLostOnReload(userId, DUE)}
      />
      <main className="flex flex-1 flex-col">
        <SittingQuestion
          key={place}
          id={id}
          eyebrow={
            <>
              {question.category}, {question.difficulty}
              {item.topic && <span className="max-nav:hidden"> · {topicName(item.topic)}</span>}
              {item.card ? missed(item.card.lapses) : !isAgain && ' · new question'}
            </>
          }
          spokenNumber={`Question ${index + 1}`}
          text={question.question}
          onKeyDown={onKeyDown}
          margin={
            judged && (
              <AnswerNote
                question={question}
                chosen={judged.given.choice}
                isRight={judged.isRight}
                mistakeTitle={mistakeTitles(firstAnswers, slips.data)[place]}
                right={rightWords(judged)}
              >
                <ComesBack
                  judged={judged}
                  spread={spreadOf(item.family)}
                  interviewOn={interviewOn}
                />
              </AnswerNote>
            )
          }
        >
          <AnswerOptions
            labelledBy={id}
            options={question.options}
            correctOption={question.correctOption}
            chosen={chosen}
            judged={judged?.given.choice}
            onChoose={choose}
            className="mt-4 gap-3 nav:mt-[26px]"
          />
        </SittingQuestion>
        <StepBar
          aside={
            canGuess ? (
              <button type="button" className="btn btn-flat -ml-3 text-[14px]" onClick={guess}>
                <Undo2 size={16} aria-hidden />I guessed
              </button>
            ) : (
              judged && (
                <>
                  <p className="serif text-[19px] nav:hidden">
                    {isBackBefore(interviewOn, judged.after)
                      ? againIn(intervalOf(judged.after))
                      : NOT_AGAIN}
                  </p>
                  <div className="max-nav:hidden [&_button]:mt-0 [&_button]:min-h-11">
                    <ReportProblem questionId={item.question.id} number={index + 1} />
                  </div>
                </>
              )
            )
          }
          hints={
            judged
              ? [...(canGuess ? ([['G', 'guessed']] as const) : []), ['Enter', 'next']]
              : [['A–D', 'choose'], ...(confirms ? ([['Enter', 'check']] as const) : [])]
          }
          label={!judged ? 'Check' : isLast ? 'Finish' : 'Next'}
          canGoOn={judged !== null || chosen !== undefined}
          onGoOn={goOn}
        />
      </main>
    </div>
  )
}

const TIMES = ['', 'once', 'twice']
const missed = (lapses: number) =>
  lapses === 0 ? '' : ` · missed ${TIMES[lapses] ?? `${lapses} times`}`

const rightWords = (judged: Judged) =>
  judged.given.isGuess
    ? {
        tone: 'plain' as const,
        title: 'Correct, but guessed',
        sentence: 'It comes back as if it had been wrong.',
      }
    : { tone: 'right' as const, title: 'Correct', sentence: recordOf(judged) }

const IN_A_ROW = ['', '', 'Twice', 'Three times', 'Four times', 'Five times', 'Six times']

function recordOf({ isAgain, before, after }: Judged): string {
  if (isAgain) return 'Second try.'
  if (!before) return 'First try.'
  const { rightInRow } = after
  if (rightInRow < 2) return 'Got it this time.'
  return `${IN_A_ROW[rightInRow] ?? `${rightInRow} times`} in a row now.`
}

const MARKS = { was: 'was-here', here: 'is-here', ahead: undefined }

function ComesBack(props: {
  judged: Judged
  spread: Spread
  interviewOn: string | null | undefined
}) {
  const { judged, spread } = props
  const { before, after } = judged
  if (!isBackBefore(props.interviewOn, after)) {
    return (
      <p className="serif mt-4 border-line border-t pt-4 text-[20px] nav:mt-[22px]">{NOT_AGAIN}</p>
    )
  }
  const days = intervalOf(after)
  const steps = stepsOf(before, after, spread)
  return (
    <div className="mt-4 border-line border-t pt-4 nav:mt-[22px]">
      <p className="serif text-[20px]">
        {againIn(days)}{' '}
        <span className="text-ink-2">· {dayName(dayAfter(after.lastDay, days))}</span>
      </p>
      <ol className="rungs mt-4" aria-label="When this question comes back">
        {steps.map(({ days: step, mark }) => (
          <li key={step} className={MARKS[mark]}>
            {countOf(step, 'day')}
            {mark !== 'ahead' && (
              <span className="sr-only">{mark === 'here' ? ', now' : ', before'}</span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
