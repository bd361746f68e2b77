import type { ReactNode } from 'react'

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
