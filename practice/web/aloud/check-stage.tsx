import { ArrowRight, Check, RotateCcw } from 'lucide-react'
import { Fragment, useRef, useState } from 'react'
import { clockTime } from '../../../platform/durations.ts'
import { dayAfter } from '../../../platform/local-day.ts'
import { dayName } from '../../../platform/web/dates.ts'
import { focusWhenShown } from '../../../platform/web/ui/option-keys.ts'
import { useToday } from '../../../platform/web/use-today.ts'
import { whenAgain } from '../../aloud/session.ts'
import {
  type Passage,
  proposeRating,
  RATING_NAMES,
  RATINGS,
  type Rating,
  type SpokenPrompt,
} from '../../aloud/spoken-prompt.ts'
import type { PromptToAnswer } from '../../contract/aloud.ts'
import { toggled } from '../kit.tsx'
import { Note } from '../sitting/answer.tsx'
import { ActionBar, KeyHints } from '../sitting/frame.tsx'
import { useAloudKeys } from './keys.ts'
import { Player, type Sound } from './player.tsx'
import type { SpokenDraft } from './recordings.ts'

export function CheckStage(props: {
  prompt: PromptToAnswer
  draft: SpokenDraft
  sound: Sound | null
  remarks: string[]
  onChange: (draft: SpokenDraft) => void
  onRecordAgain: () => void
  onGoOn: (rating: Rating) => void
}) {
  const { prompt, draft, onChange } = props
  const player = useRef<{ toggle: () => void }>(null)
  const rating = draft.rating ?? proposeRating(draft.points.length)
  const days = prompt.nextDays[rating - 1] ?? 1
  const today = useToday()

  function tick(point: number): void {
    onChange({ ...draft, points: toggled(draft.points, point).sort((a, b) => a - b) })
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
          <span className="text-ink-2">· {dayName(dayAfter(today, days))}</span>
        </p>
        <button type="button" className="btn" onClick={() => props.onGoOn(rating)}>
          Next
          <ArrowRight size={18} aria-hidden />
        </button>
      </ActionBar>
    </main>
  )
}

const LENGTHS = { short: '30 seconds', long: '2 minutes' } as const

/** Shows the model answer in two lengths. Ticked points turn gray, so missed points stay black (product 3.13.7). */
function ModelAnswer({ prompt, said }: { prompt: SpokenPrompt; said: readonly number[] }) {
  const [length, setLength] = useState<keyof typeof LENGTHS>('short')
  return (
    <section aria-labelledby="model-answer">
      <div className="section-head aloud-head">
        <h2 id="model-answer">Model answer</h2>
        <div className="flex gap-4">
          {(['short', 'long'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={length === one}
              onClick={() => setLength(one)}
              className="model-length"
            >
              {LENGTHS[one]}
            </button>
          ))}
        </div>
      </div>
      <p className="model-text">
        {prompt[length].map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sentences never move
          <Fragment key={index}>
            <Sentence passage={passage} said={said} />{' '}
          </Fragment>
        ))}
      </p>
      <p className="hint mt-3">Underlined: what you left out.</p>
    </section>
  )
}

function Sentence({ passage, said }: { passage: Passage; said: readonly number[] }) {
  const { text, points } = passage
  const isMissed = points.some((point) => !said.includes(point))
  return (
    <span className={isMissed ? 'model-missed' : undefined}>
      {isMissed && <span className="sr-only">Left out: </span>}
      {text}
      {points.length > 0 && (
        <sup>
          <span className="sr-only"> point </span>
          {points.join(', ')}
        </sup>
      )}
    </span>
  )
}

function Points(props: {
  points: SpokenPrompt['points']
  said: readonly number[]
  onTick: (point: number) => void
}) {
  return (
    <section aria-labelledby="points">
      <div className="section-head aloud-head">
        <h2 id="points">Did you say it?</h2>
        <p className="fig text-[28px]" role="status">
          {props.said.length}
          <span className="hint font-sans tracking-normal"> of {props.points.length}</span>
        </p>
      </div>
      <ul>
        {props.points.map(({ say, note }, index) => {
          const point = index + 1
          return (
            <li key={say}>
              <label className="point">
                <input
                  type="checkbox"
                  checked={props.said.includes(point)}
                  onChange={() => props.onTick(point)}
                />
                <span aria-hidden className="point-box">
                  <Check size={14} strokeWidth={3} />
                </span>
                <span>
                  {say}
                  {note && <span className="hint block">{note}</span>}
                </span>
                <span aria-hidden className="point-key">
                  {point}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function RatingChoice(props: {
  rating: Rating
  nextDays: readonly number[]
  onRate: (rating: Rating) => void
}) {
  return (
    <fieldset className="mt-7">
      <legend className="font-[550] text-[15px]">How did it feel?</legend>
      <div className="panel ratings">
        {RATINGS.map((rating) => (
          <label key={rating} className="rating">
            <input
              type="radio"
              name="rating"
              className="sr-only"
              checked={rating === props.rating}
              onChange={() => props.onRate(rating)}
            />
            {RATING_NAMES[rating]}
            <span className="hint">{whenAgain(props.nextDays[rating - 1] ?? 1)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
