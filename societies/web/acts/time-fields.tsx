import { type ReactNode, useId } from 'react'
import { Stepper } from '../kit/stepper.tsx'

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

/** Minutes, typed, stepped, or pressed. */
export function Minutes(props: {
  label: string
  value: string
  onChange: (text: string) => void
  quick: readonly string[]
}) {
  const { value, onChange } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Stepper
        label={props.label}
        unit="minute"
        shown="min"
        value={value}
        onType={onChange}
        onStep={(by) => onChange(String(Math.max(0, (Number(value) || 0) + by)))}
      />
      {props.quick.map((minutes) => (
        <button
          key={minutes}
          type="button"
          className="quick min-h-9! font-medium"
          aria-label={`${minutes} minutes`}
          aria-pressed={value === minutes}
          onClick={() => onChange(minutes)}
        >
          {minutes}
        </button>
      ))}
    </div>
  )
}
