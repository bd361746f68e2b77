import type { ReactNode } from 'react'

/** The head of a table: the columns' names with their classes. `false` leaves a column out. */
export const Heads = (props: {
  of: readonly (readonly [name: ReactNode, className?: string, span?: number] | false)[]
}) => (
  <thead>
    <tr>
      {props.of.map(
        (column, at) =>
          column && (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stay in place
            <th key={at} scope="col" className={column[1]} colSpan={column[2]}>
              {column[0]}
            </th>
          ),
      )}
    </tr>
  </thead>
)
