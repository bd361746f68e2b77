import { type ReactNode, useState } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'

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

/** A link to what the columns of a list mean. @param props.words column and meaning */
export function ColumnWords(props: {
  words: readonly (readonly [column: string, meaning: string])[]
  keys?: string
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="quiet-link max-md:min-h-11" onClick={() => setIsOpen(true)}>
        What the columns mean
      </button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="What the columns mean"
        closeButton="text"
        wide
      >
        <dl className="grid gap-3">
          {props.words.map(([column, meaning]) => (
            <div key={column}>
              <dt className="font-medium">{column}</dt>
              <dd className="text-ink-2">{meaning}</dd>
            </div>
          ))}
        </dl>
        {props.keys && <p className="hint mt-4 text-ink-2">Keys: {props.keys}</p>}
      </Dialog>
    </>
  )
}
