import { Minus, Plus } from 'lucide-react'
import { useId } from 'react'

/**
 * A number that can be typed or changed in steps of one.
 * @param props.unit the unit of a step: 'minute', 'point'
 * @param props.shown the text after the number: 'min'
 */
export function Stepper(props: {
  label: string
  unit: string
  shown?: string
  value: string | number
  isLarge?: boolean
  isWrong?: boolean
  describedBy?: string
  onType: (text: string) => void
  onStep: (by: 1 | -1) => void
  onLeave?: () => void
  onEscape?: () => void
}) {
  const id = useId()
  const { unit, isLarge, onStep } = props
  const press = (by: 1 | -1, word: string, Icon: typeof Plus) => (
    <button
      type="button"
      aria-label={`One ${unit} ${word}`}
      className={`grid place-items-center text-ink-2 max-md:size-11 ${isLarge ? 'h-11 w-10' : 'size-9'}`}
      onClick={() => onStep(by)}
    >
      <Icon size={15} aria-hidden />
    </button>
  )
  return (
    <span className="inline-flex items-center rounded-md border border-line-strong bg-surface">
      {press(-1, 'less', Minus)}
      <label htmlFor={id} className="sr-only">
        {props.label}
      </label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        maxLength={8}
        className={`bg-transparent text-center outline-offset-[-2px] max-md:min-h-11 ${isLarge ? 'h-11 w-13 font-medium font-serif text-[26px]' : 'min-h-9 w-14 font-semibold'}`}
        aria-describedby={props.describedBy}
        aria-invalid={props.isWrong || undefined}
        value={props.value}
        onChange={(event) => props.onType(event.target.value)}
        onBlur={props.onLeave}
        onKeyDown={(event) => {
          if (event.key === 'Escape') props.onEscape?.()
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          onStep(event.key === 'ArrowUp' ? 1 : -1)
        }}
      />
      {props.shown && (
        <span aria-hidden className="pr-1">
          {props.shown}
        </span>
      )}
      {press(1, 'more', Plus)}
    </span>
  )
}
