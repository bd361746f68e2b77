import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'

/** A part of a page with a title. @param props.isHintWide hides the hint on a phone */
export function Section(props: {
  title: ReactNode
  hint?: ReactNode
  isHintWide?: boolean
  className?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={props.className}>
      <div className="head">
        <h2 id={id}>{props.title}</h2>
        {props.hint && (
          <span className={`hint ${props.isHintWide ? 'max-md:hidden' : ''}`}>{props.hint}</span>
        )}
      </div>
      {props.children}
    </section>
  )
}

/** A page's top: its finding as the headline, a sentence, and the actions, the recommended one last. */
export function Top(props: {
  /** The browser tab's title, because the headline is a finding. */
  title: string
  headline: string
  children?: ReactNode
  acts?: ReactNode
}) {
  useTitle(props.title)
  return (
    <header className="top">
      <div>
        <h1>{props.headline}</h1>
        {props.children && <p>{props.children}</p>}
      </div>
      {props.acts && <div className="acts">{props.acts}</div>}
    </header>
  )
}

/** Links between a page's views, of which one is open. */
export const Views = (props: {
  label: string
  of: readonly (readonly [to: string, words: string, isOpen: boolean])[]
}) => (
  <nav aria-label={props.label} className="filters border-line border-b pb-2.5">
    {props.of.map(([to, words, isOpen]) => (
      <Link
        key={to}
        to={to}
        replace
        aria-current={isOpen ? 'page' : undefined}
        className="flex min-h-9 items-center aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[0_2px_0_var(--ink)] max-md:min-h-11"
      >
        {words}
      </Link>
    ))}
  </nav>
)

/** A table's header: the column names with their classes. `false` leaves a column out. */
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

/** A link to the meaning of a list's columns. @param props.words column and meaning */
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
