import type { ReactNode } from 'react'
import { SelectField } from './fields.tsx'

/** How each column of a list is read, to be changed where a name was guessed wrong. */
export function ColumnChoice<Role extends string>(props: {
  columns: readonly { name: string; role: Role }[]
  words: Readonly<Record<Role, string>>
  /** what several columns can hold; of another role the earlier column is left out */
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
