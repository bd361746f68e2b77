import { useId } from 'react'

/** One of a few, as native radios: arrow keys move between them. */
export function Choices<Value extends string | number>(props: {
  legend: string
  options: readonly (readonly [value: Value, label: string])[]
  chosen: Value | undefined
  onChoose: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{props.legend}</legend>
      {props.options.map(([value, label]) => (
        <label key={value} className={PILL}>
          <input
            type="radio"
            name={name}
            checked={props.chosen === value}
            onChange={() => props.onChoose(value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** A choice that is a label around its native control. */
export const PILL =
  'relative flex min-h-11 min-w-11 cursor-pointer items-center justify-center rounded-md border border-[var(--line-strong)] px-3 text-[15px] text-ink-2 hover:text-ink has-checked:border-ink has-checked:bg-sunken has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2'
