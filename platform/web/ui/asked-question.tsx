import type { KeyboardEvent } from 'react'
import type { Exhibit } from '../../exhibit.ts'
import type { OptionLetter } from '../../options.ts'
import { ExhibitShown, type ShownPicture } from './exhibit.tsx'
import { RadioOptions } from './option.tsx'
import { QuestionHeading } from './question-heading.tsx'

/** Smaller than in practice, because clock and banner need space. */
const SIZES = {
  /** as wide as the window allows */
  window: {
    short: 'text-[clamp(24px,2.1vw,29px)]',
    medium: 'text-[clamp(22px,1.9vw,26px)]',
    long: 'text-[clamp(20px,1.6vw,22px)]',
  },
  phone: { short: 'text-[24px]', medium: 'text-[22px]', long: 'text-[20px]' },
  laptop: { short: 'text-[29px]', medium: 'text-[26px]', long: 'text-[22px]' },
}

export function AskedQuestion(props: {
  headingId: string
  question: string
  options: Record<OptionLetter, string>
  exhibit: Exhibit | undefined
  picture: ShownPicture | undefined
  number: number
  total: number
  answeredCount: number
  chosen: OptionLetter | undefined
  isLocked: boolean
  onChoose: (letter: OptionLetter) => void
  onKeyDown?: (event: KeyboardEvent) => void
  as?: keyof typeof SIZES
}) {
  const { headingId, number, total, as = 'window' } = props
  return (
    <section
      aria-labelledby={headingId}
      // A click next to the options focuses it, so that the keys keep working.
      tabIndex={-1}
      onKeyDown={props.onKeyDown}
      // The text can't be selected or dragged away (product 6.8.22). Screen readers still read it.
      className="select-none outline-none"
    >
      <div className="flex items-baseline justify-between gap-4">
        <p className="eyebrow">
          Question {number} of {total}
        </p>
        <p className="hint">{props.answeredCount} answered</p>
      </div>
      <QuestionHeading
        key={headingId}
        as="h2"
        id={headingId}
        spokenNumber={`Question ${number} of ${total}`}
        text={props.question}
        sizes={SIZES[as]}
        leavesFocus={as !== 'window'}
      />
      {props.exhibit && <ExhibitShown exhibit={props.exhibit} picture={props.picture} />}
      <fieldset disabled={props.isLocked} className="mt-8">
        <RadioOptions
          key={headingId}
          labelledBy={headingId}
          options={props.options}
          chosen={props.chosen}
          onChoose={props.onChoose}
          className="gap-3"
        />
      </fieldset>
    </section>
  )
}
