import { useState } from 'react'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { RadioOption, ReviewOption } from '../../../platform/web/ui/option.tsx'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { Sample, Section } from './section.tsx'

const OPTIONS: Record<OptionLetter, string> = {
  A: 'Falls by 4.1%',
  B: 'Rises by 4.1%',
  C: 'It does not change, because the coupon is fixed and the issuer repays the same amount on the same day',
  D: 'Not enough information',
}

/** Options as the quiz asks them and as the review shows them. */
export function Answers() {
  const [chosen, setChosen] = useState<OptionLetter>('B')
  return (
    <Section title="Answers">
      <Sample name="RadioOption">
        <div role="radiogroup" aria-label="An answer" className="grid max-w-[760px] gap-3">
          {OPTION_LETTERS.map((letter) => (
            <RadioOption
              key={letter}
              name="dev-option"
              letter={letter}
              text={OPTIONS[letter]}
              isChosen={chosen === letter}
              onChoose={setChosen}
            />
          ))}
        </div>
      </Sample>
      <Sample name="ReviewOption">
        <ul className="grid max-w-[760px] gap-3">
          <ReviewOption letter="A" text={OPTIONS.A} mark="correct" />
          <ReviewOption
            letter="B"
            text={OPTIONS.B}
            mark="wrong"
            note="This is the other direction: a price falls when the yield rises."
          />
          <ReviewOption letter="C" text={OPTIONS.C} mark={null} />
        </ul>
      </Sample>
    </Section>
  )
}

/** What stands where there is nothing yet, nothing at all, or something went wrong. */
export function States() {
  return (
    <Section title="States">
      <Sample name="Message: empty">
        <Message
          title="No Tests Available"
          actions={
            <button type="button" className="btn">
              Back to Categories
            </button>
          }
        >
          We haven't prepared tests for this difficulty level yet. Try selecting an easier
          difficulty or check back later!
        </Message>
      </Sample>
      <Sample name="Message: error, TryAgain">
        <Message
          title="Failed to load questions"
          isError
          actions={
            <>
              <TryAgain onClick={() => {}} isBusy={false} />
              <TryAgain onClick={() => {}} isBusy />
            </>
          }
        />
      </Sample>
      <Sample name=".card: empty">
        <div className="card max-w-[380px] p-6">
          <p className="eyebrow">Overall progress</p>
          <p className="mt-6 font-medium font-serif text-[21px]">Nothing to measure yet.</p>
          <p className="mt-1 text-ink-2">Take your first test: your progress shows here.</p>
        </div>
      </Sample>
      <Sample name="Skeleton, LoadingNote">
        <LoadingNote>Loading an example</LoadingNote>
        <div className="max-w-[380px]">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="mt-3 h-5 w-full" />
          <Skeleton className="mt-5 h-11 w-24" />
        </div>
      </Sample>
      <Sample name="Spinner">
        <Spinner label="Loading an example" />
      </Sample>
    </Section>
  )
}
