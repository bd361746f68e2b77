import type { ReactNode } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'

/** A dialog of an act: what scrolls, and its buttons at the foot; on a phone a page (product 7.15). */
export function ActDialog(props: {
  title: string
  description?: string
  size: 'wide' | 'narrow'
  children: ReactNode
  /** left of the buttons */
  note?: ReactNode
  problem: string | null
  /** null: it only shows */
  button: string | null
  isReady: boolean
  isBusy: boolean
  onAct: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title={props.title}
      {...(props.description ? { description: props.description } : {})}
      work={props.size}
    >
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          if (props.isReady && !props.isBusy) props.onAct()
        }}
      >
        {props.children}
        <div className="flex flex-wrap items-center gap-3 border-line border-t px-6 py-4">
          <div className="min-w-0 flex-1 basis-60 text-pretty">
            {props.problem ? (
              <p role="alert" className="amber">
                {props.problem}
              </p>
            ) : (
              props.note && <p className="hint text-ink-2">{props.note}</p>
            )}
          </div>
          <div className="flex gap-2 max-md:w-full">
            <button type="button" className="btn btn-ghost max-md:flex-1" onClick={props.onClose}>
              {props.button === null ? 'Close' : 'Cancel'}
            </button>
            {props.button !== null && (
              <button
                type="submit"
                className="btn max-md:flex-[2]"
                aria-disabled={!props.isReady || props.isBusy}
              >
                {props.isBusy ? 'One moment…' : props.button}
              </button>
            )}
          </div>
        </div>
      </form>
    </Dialog>
  )
}
