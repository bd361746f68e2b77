import { type ReactNode, useId, useRef } from 'react'
import { SelectField } from './fields.tsx'
import { Section } from './section.tsx'

/** A text that a member pastes into the field, or loads by choosing or dropping a file. */
export function BroughtText(props: {
  title: string
  text: string
  placeholder: string
  hint: ReactNode
  accept?: string
  isReading: boolean
  onText: (text: string) => void
  onFile: (file: File) => void
  children?: ReactNode
}) {
  const { text, onText } = props
  const id = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => files?.[0] && props.onFile(files[0])
  return (
    <Section
      title={<label htmlFor={id}>{props.title}</label>}
      hint={
        <>
          <button type="button" className="quiet-link" onClick={() => chooser.current?.click()}>
            {props.isReading ? 'Reading…' : 'Choose a file'}
          </button>
          {text !== '' && (
            <>
              {' · '}
              <button type="button" className="quiet-link" onClick={() => onText('')}>
                Clear
              </button>
            </>
          )}
        </>
      }
    >
      <input
        ref={chooser}
        type="file"
        hidden
        accept={props.accept}
        onChange={(event) => {
          take(event.target.files)
          // Resetting the value lets the member choose the same file again.
          event.target.value = ''
        }}
      />
      <textarea
        id={id}
        className="field mt-3.5 min-h-72 w-full font-mono text-[13px] leading-[26px]!"
        spellCheck={false}
        wrap="off"
        placeholder={props.placeholder}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onDrop={(event) => {
          event.preventDefault()
          take(event.dataTransfer.files)
        }}
        onDragOver={(event) => event.preventDefault()}
      />
      <p className="hint mt-2.5 text-ink-2">{props.hint}</p>
      {props.children}
    </Section>
  )
}

/** Shows how each column of a list is read. The member can correct a wrong guess. */
export function ColumnChoice<Role extends string>(props: {
  columns: readonly { name: string; role: Role }[]
  words: Readonly<Record<Role, string>>
  /** Roles that several columns can have. For any other role, choosing a new column clears the earlier one. */
  many: readonly Role[]
  onRoles: (roles: Role[]) => void
  children?: ReactNode
}) {
  const { columns, words, many } = props
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2 py-3">
      {columns.map(({ name, role }, at) => (
        <SelectField
          // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name
          key={at}
          className="max-w-48 [&_label]:truncate"
          label={name}
          options={Object.entries<string>(words)}
          value={role}
          onChange={(value) => {
            const next = value as Role
            const others = columns.map(({ role: one }) =>
              one === next && !many.includes(next) ? ('none' as Role) : one,
            )
            props.onRoles(others.with(at, next))
          }}
        />
      ))}
      {props.children}
    </div>
  )
}
