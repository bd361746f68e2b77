import type { ReactNode } from 'react'

/** A part of a page: its heading over a black rule, and a hint at its right. */
export function Section(props: {
  id: string
  title: string
  hint?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section aria-labelledby={props.id} className={props.className}>
      <div className="section-head">
        <h2 id={props.id} className="text-[23px]">
          {props.title}
        </h2>
        {props.hint && <p className="hint">{props.hint}</p>}
      </div>
      {props.children}
    </section>
  )
}
