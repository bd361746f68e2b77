import { type ReactNode, useEffect, useRef } from 'react'

/** What can be done with the ticked rows, at the foot of the page; Esc unticks them. */
export function ChosenBar(props: {
  count: number
  /** beside the count: 'room 2.11' */
  note?: string
  onUntick: () => void
  children: ReactNode
}) {
  const untick = useRef(props.onUntick)
  untick.current = props.onUntick
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // A field or a dialog has its own, and an open row closes first.
      const isElsewhere = (event.target as HTMLElement).closest('input[type=search], [role=dialog]')
      if (event.key === 'Escape' && !isElsewhere && !event.defaultPrevented) untick.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <section className="chosen-bar" aria-label="With the ticked rows">
      <b className="mr-1.5 font-semibold">{props.count} ticked</b>
      <span className="mr-3 opacity-70">{props.note}</span>
      {props.children}
      <button type="button" onClick={props.onUntick}>
        Untick
      </button>
    </section>
  )
}

export function toggled<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(items)
  if (!next.delete(item)) next.add(item)
  return next
}
