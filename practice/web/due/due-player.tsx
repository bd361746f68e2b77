import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { OptionLetter } from '../../../platform/options.ts'
import { URLS } from '../../../platform/urls.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { useConfirmsAnswers } from '../../../platform/web/preferences.ts'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { countOf } from '../../../platform/words.ts'
import { intervalOf, personSpread, type Spread } from '../../schedule/schedule.ts'
import { slipsBeforeQuery } from '../queries.ts'
import { useBeep } from '../quiz/beep.ts'
import { ReportProblem } from '../report-problem.tsx'
import { StepBar } from '../sitting/action-bar.tsx'
import { AnswerNote, AnswerOptions, SittingQuestion, useTimeShown } from '../sitting/answer.tsx'
import { SittingHead } from '../sitting/sitting-head.tsx'
import { mistakeTitles } from '../slips/slip-words.ts'
import { topicName } from '../topics.ts'
import { outbox } from '../use-outbox.tsx'
import { againIn, ComesBack } from './comes-back.tsx'
import {
  asOutboxItem,
  DUE,
  type DueItem,
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

/** Plays due questions with verdicts (product 3.10.6, 3.10.7). Answers go to the device and the outbox. */
export function DuePlayer({ userId, begun }: { userId: string; begun: Sitting }) {
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
    outbox.put(userId, asOutboxItem(next, deviceTimeZone(), new Date().toISOString()))
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

  if (!item) return null
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
        <DueQuestion
          key={place}
          item={item}
          place={place}
          number={index + 1}
          isAgain={isAgain}
          interviewOn={interviewOn}
          chosen={chosen}
          judged={judged}
          mistakeTitle={mistakeTitles(firstAnswers, slips.data)[place]}
          spread={spreadOf(item.family)}
          onChoose={choose}
          onEnter={goOn}
          onGuess={guess}
        />
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

function DueQuestion(props: {
  item: DueItem
  /** for the heading's id, because a question can come twice */
  place: number
  number: number
  isAgain: boolean
  interviewOn: string | null | undefined
  chosen: OptionLetter | undefined
  judged: Judged | null
  mistakeTitle: string | undefined
  spread: Spread
  onChoose: (letter: OptionLetter) => void
  onEnter: () => void
  onGuess: () => void
}) {
  const { item, judged } = props
  const { question } = item
  const onKeyDown = useQuestionKeys({
    onChoose: judged ? () => {} : props.onChoose,
    onEnter: props.onEnter,
    onGuess: props.onGuess,
  })
  const id = `due-${props.place}`
  return (
    <SittingQuestion
      id={id}
      eyebrow={
        <>
          {question.category}, {question.difficulty}
          {item.topic && <span className="max-nav:hidden"> · {topicName(item.topic)}</span>}
          {item.card ? missed(item.card.lapses) : !props.isAgain && ' · new question'}
        </>
      }
      spokenNumber={`Question ${props.number}`}
      text={question.question}
      onKeyDown={onKeyDown}
      margin={
        judged && (
          <AnswerNote
            question={question}
            chosen={judged.given.choice}
            isRight={judged.isRight}
            mistakeTitle={props.mistakeTitle}
            right={rightWords(judged)}
          >
            <ComesBack judged={judged} spread={props.spread} interviewOn={props.interviewOn} />
          </AnswerNote>
        )
      }
    >
      <AnswerOptions
        labelledBy={id}
        options={question.options}
        correctOption={question.correctOption}
        chosen={props.chosen}
        judged={judged?.given.choice}
        onChoose={props.onChoose}
        className="mt-4 gap-3 nav:mt-[26px]"
      />
    </SittingQuestion>
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
