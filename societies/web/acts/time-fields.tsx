import { Minus, Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'

/** One of the things that can be done about time; what it needs is asked for below it. */
export function VerbChoice(props: {
  isOn: boolean
  /** there is nothing else to pick */
  isOnly?: boolean
  onPick: () => void
  label: string
  hint: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className={props.isOnly ? '' : 'grid grid-cols-[26px_1fr]'}>
      {!props.isOnly && (
        <input
          type="radio"
          id={id}
          name="time-verb"
          className="mt-0.5"
          checked={props.isOn}
          onChange={props.onPick}
        />
      )}
      <div>
        <label
          htmlFor={props.isOnly ? undefined : id}
          className={props.isOn ? 'font-semibold' : ''}
        >
          {props.label}
          <span className="hint block font-normal text-ink-2">{props.hint}</span>
        </label>
        {props.isOn && <div className="mt-2.5">{props.children}</div>}
      </div>
    </div>
  )
}

/** Minutes, typed or stepped. */
export function Minutes(props: {
  label: string
  value: string
  onChange: (text: string) => void
  quick: readonly string[]
}) {
  const id = useId()
  const step = (by: number) => props.onChange(String(Math.max(0, (Number(props.value) || 0) + by)))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="inline-flex items-center rounded-md border border-line-strong bg-surface">
        <button
          type="button"
          aria-label="One minute less"
          className="grid size-9 place-items-center text-ink-2 max-md:size-11"
          onClick={() => step(-1)}
        >
          <Minus size={15} aria-hidden />
        </button>
        <label htmlFor={id} className="sr-only">
          {props.label}
        </label>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          className="min-h-9 w-12 bg-transparent text-center font-semibold max-md:min-h-11"
          maxLength={8}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
        <span aria-hidden className="pr-1">
          min
        </span>
        <button
          type="button"
          aria-label="One minute more"
          className="grid size-9 place-items-center text-ink-2 max-md:size-11"
          onClick={() => step(1)}
        >
          <Plus size={15} aria-hidden />
        </button>
      </div>
      {props.quick.map((minutes) => (
        <button
          key={minutes}
          type="button"
          className="quick min-h-9! font-medium"
          aria-label={`${minutes} minutes`}
          aria-pressed={props.value === minutes}
          onClick={() => props.onChange(minutes)}
        >
          {minutes}
        </button>
      ))}
    </div>
  )
}
