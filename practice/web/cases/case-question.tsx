import { useQuery } from '@tanstack/react-query'
import { CornerDownRight } from 'lucide-react'
import type { OptionLetter } from '../../../platform/options.ts'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { QuestionHeading } from '../../../platform/web/ui/question-heading.tsx'
import type { Case } from '../../cases/case.ts'
import { slipsBeforeQuery } from '../queries.ts'
import { AnswerNote, AnswerOptions } from '../sitting/answer.tsx'
import { mistakeTitles } from '../slips/slip-words.ts'
import type { CaseSitting } from './case-sitting.ts'
import { withMinus } from './exhibit.tsx'

const SIZES = {
  short: 'text-[clamp(22px,2vw,28px)]',
  medium: 'text-[clamp(21px,1.8vw,25px)]',
  long: 'text-[clamp(20px,1.7vw,23px)]',
}
const SHORT_OPTION = 16

export function CaseQuestion(props: {
  content: Case
  sitting: CaseSitting
  index: number
  isSheetOpen: boolean
  onChoose: (letter: OptionLetter) => void
  onGoOn: () => void
  onGoBack: () => void
}) {
  const { content, sitting, index } = props
  const onKeyDown = useQuestionKeys(props)
  const question = content.questions[index]
  if (!question) return null
  const id = `case-question-${index + 1}`
  const given = sitting.given[index]
  const options = Object.fromEntries(
    Object.entries(question.options).map(([letter, text]) => [letter, withMinus(text)]),
  ) as Record<OptionLetter, string>
  const areShort = Object.values(options).every((text) => text.length <= SHORT_OPTION)
  return (
    <section
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className={`case-question ${props.isSheetOpen ? 'is-beside-sheet' : ''}`}
    >
      {question.from.map((number) => (
        <CarriedForward key={number} content={content} sitting={sitting} number={number} />
      ))}
      <p className="eyebrow">
        <span aria-hidden>
          Question {index + 1} of {content.questions.length}
        </span>
      </p>
      <QuestionHeading
        key={id}
        as="h1"
        id={id}
        spokenNumber={`Question ${index + 1}`}
        text={question.ask}
        sizes={SIZES}
      />
      <AnswerOptions
        labelledBy={id}
        options={options}
        correctOption={question.answer}
        chosen={sitting.chosen}
        judged={given?.choice}
        onChoose={props.onChoose}
        className={`mt-5 gap-2.5 ${props.isSheetOpen && areShort ? 'grid-cols-2' : ''}`}
      />
      {given && <CaseNote content={content} index={index} sitting={sitting} />}
      {content.questions.length > 1 && (
        <CaseChain content={content} answered={sitting.given.length} shown={index} />
      )}
    </section>
  )
}

/** Shows the explanation and the mistake, with a count from the second time on (product 3.14.25). */
export function CaseNote(props: { content: Case; index: number; sitting: CaseSitting }) {
  const { content, index, sitting } = props
  const slips = useQuery(slipsBeforeQuery(sitting.id))
  const question = content.questions[index]
  const choice = sitting.given[index]?.choice
  if (!question || !choice) return null
  // A case has names of mistakes instead of codes. The names are unique.
  const titles = mistakeTitles(
    content.questions.map(({ answer, slipNames }, place) => ({
      question: { correctOption: answer, slips: slipNames },
      selected: sitting.given[place]?.choice,
    })),
    slips.data?.map((slip) => ({ ...slip, code: slip.name })),
    (name) => name ?? 'The mistake',
  )
  return (
    <AnswerNote
      question={{ why: question.why, explanation: withMinus(question.explanation) }}
      chosen={choice}
      isRight={choice === question.answer}
      mistakeTitle={titles[index]}
    />
  )
}

/** Shows the right figure of an earlier question, so one mistake costs only one point. */
function CarriedForward(props: { content: Case; sitting: CaseSitting; number: number }) {
  const earlier = props.content.questions[props.number - 1]
  const given = props.sitting.given[props.number - 1]
  if (!earlier || !given) return null
  return (
    <div className="case-carry">
      <CornerDownRight size={18} aria-hidden />
      <p>
        From question {props.number}: {earlier.carry}{' '}
        <b>{withMinus(earlier.options[earlier.answer])}</b>.{' '}
        {given.choice !== earlier.answer && (
          <span>
            You chose {withMinus(earlier.options[given.choice])}. Continue with the right figure.
          </span>
        )}
      </p>
    </div>
  )
}

function CaseChain(props: { content: Case; answered: number; shown: number }) {
  return (
    <ol className="case-chain" aria-label="The questions of this case">
      {props.content.questions.map(({ finds, from, options, answer }, index) => {
        const figure = options[answer]
        const isFound = index < props.answered
        return (
          <li key={finds} aria-current={index === props.shown ? 'step' : undefined}>
            <span className="case-chain-number">{index + 1}</span>
            <span>{finds}</span>
            <span>
              {isFound
                ? // A sentence is too long here. Its question shows it.
                  /\d/.test(figure) && figure.length < 24 && withMinus(figure)
                : from.length > 0 && (
                    <>
                      <CornerDownRight size={15} aria-hidden />
                      from {from.join(' and ')}
                    </>
                  )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
