import type { OptionLetter } from '../../../platform/options.ts'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import type { Spread } from '../../schedule/schedule.ts'
import { AnswerNote, AnswerOptions } from '../sitting/answer.tsx'
import { SittingQuestion } from '../sitting/sitting-question.tsx'
import { topicName } from '../topics.ts'
import { ComesBack } from './comes-back.tsx'
import type { DueItem, Judged } from './due-sitting.ts'

export function DueQuestion(props: {
  item: DueItem
  /** for the heading's id: the same question comes twice */
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
