import type { ReactNode } from 'react'
import { useTitle } from '../../../../platform/web/ui/page.tsx'

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
