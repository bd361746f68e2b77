import type { ReactNode } from 'react'

/** A page with one message and the next step: an error or an empty state. */
export function Message(props: {
  title: string
  children?: ReactNode
  actions: ReactNode
  /** announced when it replaces a loading state */
  isError?: boolean
}) {
  return (
    <div className="border-ink border-t pt-8" role={props.isError ? 'alert' : undefined}>
      <h1 className="max-w-[24ch] text-[clamp(28px,3.4vw,40px)]">{props.title}</h1>
      {props.children && (
        <p className="mt-4 max-w-[60ch] text-[17px] text-ink-2">{props.children}</p>
      )}
      <div className="mt-8 flex flex-wrap gap-3">{props.actions}</div>
    </div>
  )
}

export function TryAgain({ onClick, isBusy }: { onClick: () => void; isBusy: boolean }) {
  return (
    <button type="button" className="btn" onClick={onClick} aria-disabled={isBusy}>
      {isBusy ? 'Trying again…' : 'Try again'}
    </button>
  )
}
