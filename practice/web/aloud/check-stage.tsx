import { ArrowRight, RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import { clockTime } from '../../../platform/durations.ts'
import { dayAndDate } from '../../../platform/web/dates.ts'
import { focusWhenShown } from '../../../platform/web/ui/option-keys.ts'
import { proposeRating, RATINGS, type Rating } from '../../aloud/rating.ts'
import type { PromptToAnswer } from '../../contract/aloud.ts'
import { ActionBar, KeyHints } from '../sitting/action-bar.tsx'
import { Note } from '../sitting/margin.tsx'
import { useAloudKeys } from './keys.ts'
import { ModelAnswer } from './model-answer.tsx'
import { Player, type Sound } from './player.tsx'
import { Points } from './points.tsx'
import { RatingChoice } from './rating-choice.tsx'
import type { SpokenDraft } from './spoken-draft.ts'
import { whenAgain } from './when-again.ts'

/** What the person decides on their own answer: points, rating, and when it comes back (product 3.13.7). */
export function CheckStage(props: {
  prompt: PromptToAnswer
  draft: SpokenDraft
  sound: Sound | null
  /** what happened while it was spoken: time was up, the page was hidden, there is no room … */
  remarks: string[]
  onChange: (draft: SpokenDraft) => void
  onRecordAgain: () => void
  onGoOn: (rating: Rating) => void
}) {
  const { prompt, draft, onChange } = props
  const player = useRef<{ toggle: () => void }>(null)
  const rating = draft.rating ?? proposeRating(draft.points.length)
  const days = prompt.nextDays[rating - 1] ?? 1

  function tick(point: number): void {
    const points = draft.points.includes(point)
      ? draft.points.filter((one) => one !== point)
      : [...draft.points, point].sort((a, b) => a - b)
    onChange({ ...draft, points })
  }
  const rate = (chosen: Rating | undefined) => chosen && onChange({ ...draft, rating: chosen })
  const onKeyDown = useAloudKeys({
    digit: (digit) => digit <= prompt.points.length && tick(digit),
    l: () => player.current?.toggle(),
    ArrowLeft: () => rate(RATINGS.find((one) => one === rating - 1)),
    ArrowRight: () => rate(RATINGS.find((one) => one === rating + 1)),
    Enter: () => props.onGoOn(rating),
  })

  return (
    <main className="flex flex-1 flex-col outline-none" tabIndex={-1} onKeyDown={onKeyDown}>
      <div className="sitting-wrap aloud-check">
        <div className="min-w-0">
          <p className="eyebrow">Answer aloud</p>
          <h1 ref={focusWhenShown} tabIndex={-1} className="aloud-asked outline-none">
            {prompt.prompt}
          </h1>
          {props.sound ? (
            <Player ref={player} sound={props.sound} label="Listen again" />
          ) : (
            <p className="hint mt-5">
              {clockTime(Math.round(draft.tookMs / 1000))}, without a recording
            </p>
          )}
          {props.remarks.map((remark) => (
            <p key={remark} className="hint mt-2">
              {remark}
            </p>
          ))}
          <button type="button" className="aloud-again" onClick={props.onRecordAgain}>
            <RotateCcw size={15} aria-hidden />
            {props.sound ? 'Record again' : 'Answer again'}
          </button>
          <ModelAnswer prompt={prompt} said={draft.points} />
        </div>
        <div className="min-w-0 nav:row-span-2">
          <Points points={prompt.points} said={draft.points} onTick={tick} />
          <RatingChoice rating={rating} nextDays={prompt.nextDays} onRate={rate} />
        </div>
        <div className="aloud-wrong-turn">
          <Note tone="plain" title="The most common wrong turn">
            <p className="running note-text">{prompt.wrongTurn}</p>
          </Note>
        </div>
      </div>
      <ActionBar
        aside={
          <>
            <KeyHints
              hints={[
                ['1–6', 'tick'],
                ...(props.sound ? ([['L', 'listen']] as const) : []),
                ['← →', 'rate'],
              ]}
            />
            <p className="serif text-[19px] nav:hidden">Again {whenAgain(days)}</p>
          </>
        }
      >
        <p className="serif text-[20px] max-nav:hidden" role="status">
          Again {whenAgain(days)}{' '}
          <span className="text-ink-2">· {dayAndDate(daysFromNow(days))}</span>
        </p>
        <button type="button" className="btn" onClick={() => props.onGoOn(rating)}>
          Next
          <ArrowRight size={18} aria-hidden />
        </button>
      </ActionBar>
    </main>
  )
}

/** The same time of day so many days on, whatever the clocks do. @returns epoch milliseconds */
function daysFromNow(days: number): number {
  const at = new Date()
  return at.setDate(at.getDate() + days)
}
