import type { ReactNode } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { RadioOptions } from '../../../platform/web/ui/option.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import type { Spread } from '../../schedule/schedule.ts'
import { JudgedOptions, Note } from '../sitting/margin.tsx'
import { SittingQuestion } from '../sitting/sitting-question.tsx'
import { topicName } from '../topics.ts'
import { ComesBack } from './comes-back.tsx'
import type { DueItem, Judged } from './due-sitting.ts'

/** A question of what is due: its options, or once it is answered the verdict and the note in the margin. */
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
          <Verdict
            judged={judged}
            mistakeTitle={props.mistakeTitle}
            spread={props.spread}
            interviewOn={props.interviewOn}
          />
        )
      }
    >
      {judged ? (
        <JudgedOptions
          options={question.options}
          correctOption={question.correctOption}
          chosen={judged.given.choice}
        />
      ) : (
        <RadioOptions
          key={id}
          labelledBy={id}
          options={question.options}
          chosen={props.chosen}
          onChoose={props.onChoose}
          className="mt-4 gap-3 nav:mt-[26px]"
        />
      )}
    </SittingQuestion>
  )
}

const TIMES = ['', 'once', 'twice']
const missed = (lapses: number) =>
  lapses === 0 ? '' : ` · missed ${TIMES[lapses] ?? `${lapses} times`}`

function Verdict(props: {
  judged: Judged
  mistakeTitle: string | undefined
  spread: Spread
  interviewOn: string | null | undefined
}): ReactNode {
  const { judged, mistakeTitle = 'The mistake', spread } = props
  const { item, given, isRight } = judged
  const { why, explanation, source } = item.question
  const comesBack = <ComesBack judged={judged} spread={spread} interviewOn={props.interviewOn} />
  if (!isRight) {
    return (
      <Note
        tone="wrong"
        title={mistakeTitle}
        sentence={why[given.choice]}
        explanation={explanation}
        source={source}
      >
        {comesBack}
      </Note>
    )
  }
  return (
    <Note
      tone={given.isGuess ? 'plain' : 'right'}
      title={given.isGuess ? 'Correct, but guessed' : 'Correct'}
      sentence={given.isGuess ? 'It comes back as if it had been wrong.' : recordOf(judged)}
      explanation={explanation}
      source={source}
    >
      {comesBack}
    </Note>
  )
}

const IN_A_ROW = ['', '', 'Twice', 'Three times', 'Four times', 'Five times', 'Six times']

/** A right answer gets no praise but its record. */
function recordOf({ isAgain, before, after }: Judged): string {
  if (isAgain) return 'Second try.'
  if (!before) return 'First try.'
  const { rightInRow } = after
  if (rightInRow < 2) return 'Got it this time.'
  return `${IN_A_ROW[rightInRow] ?? `${rightInRow} times`} in a row now.`
}
