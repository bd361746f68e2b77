import { type ReactNode, useId } from 'react'
import { useTitle } from '../../../platform/web/ui/page.tsx'

/** A part of a page under its title. @param props.isHintWide left out on a phone */
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

/** A page's top: the finding as its headline, a sentence on it, and the acts, the next sensible one last. */
export function Top(props: {
  /** of the browser's tab, where the headline is a finding */
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
