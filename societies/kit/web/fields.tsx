import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

interface Described {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string
}

export interface FieldWords {
  label: string
  /** Shown next to the label, such as 'optional'. */
  note?: string | undefined
  hint?: ReactNode
  error?: ReactNode
  className?: string | undefined
  /** Hides the label except for screen readers. */
  isLabelHidden?: boolean | undefined
}

export function FormField(props: FieldWords & { children: (described: Described) => ReactNode }) {
  const { note, hint, error } = props
  const id = useId()
  return (
    <div className={props.className}>
      <label htmlFor={id} className={props.isLabelHidden ? 'sr-only' : 'label'}>
        {props.label}
        {note && <span className="ml-1.5 font-normal text-ink-2">{note}</span>}
      </label>
      {props.children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': `${id}-hint ${id}-error`,
      })}
      <div id={`${id}-hint`} className={hint ? 'hint mt-1.5' : undefined}>
        {hint}
      </div>
      <div
        id={`${id}-error`}
        role="alert"
        className={error ? 'amber mt-1.5 font-medium text-[13px]' : undefined}
      >
        {error}
      </div>
    </div>
  )
}

const split = <Props extends FieldWords>(props: Props) => {
  const { label, note, hint, error, className, isLabelHidden, ...rest } = props
  return [{ label, note, hint, error, className, isLabelHidden }, rest] as const
}

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'children' | 'className'> & {
  ref?: Ref<HTMLInputElement>
}

/** A single-line text, number, day or moment, by its `type`. @param choices suggestions for the text */
export function TextField(props: Input & FieldWords & { choices?: readonly string[] }) {
  const list = useId()
  const [words, { choices, ...input }] = split(props)
  return (
    <FormField {...words}>
      {(described) => (
        <>
          <input
            {...input}
            {...described}
            {...(choices && { list })}
            className={`field ${input.type?.startsWith('date') ? '' : 'w-full'}`}
          />
          {choices && (
            <datalist id={list}>
              {choices.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )}
    </FormField>
  )
}

type Area = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'children' | 'className' | 'onChange'
> & {
  ref?: Ref<HTMLTextAreaElement>
  /** Keeps tabs and doesn't wrap lines. */
  isPlain?: boolean
  onChange: (text: string) => void
}

/** A multi-line text field that grows with its content. Ctrl or Cmd with Enter submits the form. */
export function AreaField(props: Area & FieldWords) {
  const [words, { isPlain = false, rows = 2, onChange, ...area }] = split(props)
  return (
    <FormField {...words}>
      {(described) => (
        <textarea
          {...area}
          {...described}
          rows={rows}
          // Browsers that size a field to its text ignore `rows`.
          style={{ minHeight: `calc(${rows}lh + 20px)` }}
          className={`field field-sizing-content max-h-60 w-full ${isPlain ? 'whitespace-pre font-mono text-[12.5px]!' : ''}`}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.currentTarget.form?.requestSubmit()
            }
          }}
          // The server rejects invisible characters, such as pasted tabs, so they become spaces.
          onChange={({ target: { value } }) =>
            onChange(isPlain ? value : value.replace(/[^\P{Cc}\n]/gu, ' '))
          }
        />
      )}
    </FormField>
  )
}

export type Option = readonly [value: string, words: string]

/** A choice of one option. @param groups options with their own headings */
export function SelectField({
  value,
  options = [],
  groups = [],
  onChange,
  ref,
  ...words
}: FieldWords & {
  value: string
  options?: readonly Option[]
  groups?: readonly { label: string; options: readonly Option[] }[]
  onChange: (value: string) => void
  ref?: Ref<HTMLSelectElement> | undefined
}) {
  const list = (some: readonly Option[]) =>
    some.map(([one, text]) => (
      <option key={one} value={one}>
        {text}
      </option>
    ))
  return (
    <FormField {...words}>
      {(described) => (
        <select
          {...described}
          ref={ref}
          className="field w-full"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {list(options)}
          {groups.map((group) => (
            <optgroup key={group.label} label={group.label}>
              {list(group.options)}
            </optgroup>
          ))}
        </select>
      )}
    </FormField>
  )
}

/** A checkbox with its label and explanation. @param kind 'radio' allows one per name */
export function Tick({
  label,
  hint,
  kind = 'checkbox',
  className = 'min-h-8 max-md:min-h-11',
  onChange,
  ...input
}: Omit<Input, 'type' | 'onChange'> & {
  label: ReactNode
  hint?: ReactNode
  kind?: 'checkbox' | 'radio'
  className?: string
  onChange: (isOn: boolean) => void
}) {
  const id = useId()
  return (
    <div className={`flex items-start gap-2.5 ${className}`}>
      <input
        {...input}
        type={kind}
        id={id}
        className="mt-0.5"
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <small id={`${id}-hint`} className="hint block text-ink-2">
            {hint}
          </small>
        )}
      </div>
    </div>
  )
}

export function Segments<Value extends string>(props: {
  legend: string
  options: readonly (readonly [value: Value, words: ReactNode])[]
  value: Value | null
  className?: string
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className={`segments ${props.className ?? ''}`}>
      <legend className="sr-only">{props.legend}</legend>
      {props.options.map(([value, words]) => (
        <button
          key={value}
          type="button"
          className="grow justify-center max-md:min-h-11!"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  )
}
