import { type ReactNode, useId } from 'react'

/**
 * A part of a page under its title over a black rule, with what qualifies it at the right.
 * @param props.isHintWide left out on a phone
 */
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
