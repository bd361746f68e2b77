import type { FormEvent, ReactNode } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'

export type ButtonWords = readonly [label: string, busy: string]

/** A dialog that confirms an action. Enter submits and Esc closes. The action button comes first, then Cancel. */
export function DialogFrame(props: {
  title: string
  text?: string | undefined
  /** Wide enough to read text. */
  wide?: boolean
  /** A larger dialog with scrolling content and its buttons at the bottom. On a phone it fills the screen. */
  work?: 'wide' | 'narrow'
  /** Shown next to the buttons of a larger dialog. */
  note?: ReactNode
  problem: string | null
  /** Null if the dialog only shows information. */
  button: ButtonWords | null
  /** If false, the button is pale. The action itself has to check this too. */
  isReady?: boolean
  isBusy: boolean
  /** An alternative action after Cancel. */
  more?: ReactNode
  onAct: () => void
  onClose: () => void
  children?: ReactNode
}) {
  const { work, button, problem, isReady = true, isBusy } = props
  function submit(event: FormEvent) {
    event.preventDefault()
    // The dialog may be inside a page's form, which must not be submitted too.
    event.stopPropagation()
    if (!isBusy && button) props.onAct()
  }
  const buttons = (
    <div className={`flex flex-wrap gap-2 ${work ? 'max-md:w-full' : 'mt-2'}`}>
      {button && (
        <button
          type="submit"
          className={`btn ${work ? 'max-md:flex-[2]' : ''}`}
          aria-disabled={!isReady || isBusy}
        >
          {isBusy ? button[1] : button[0]}
        </button>
      )}
      <button
        type="button"
        className={`btn btn-ghost ${work ? 'max-md:flex-1' : ''}`}
        onClick={props.onClose}
      >
        {button ? 'Cancel' : 'Close'}
      </button>
      {props.more}
    </div>
  )
  const refusal = problem && (
    <p role="alert" className="amber">
      {problem}
    </p>
  )
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && props.onClose()}
      title={props.title}
      wide={props.wide}
      description={props.text}
      work={work}
    >
      <form
        noValidate
        className={work ? 'flex min-h-0 flex-1 flex-col' : 'grid grid-cols-[minmax(0,1fr)] gap-4'}
        onSubmit={submit}
      >
        {props.children}
        {work ? (
          <div className="flex flex-wrap items-center gap-3 border-line border-t px-6 py-4">
            <div className="min-w-0 flex-1 basis-60 text-pretty">
              {refusal || (props.note && <p className="hint text-ink-2">{props.note}</p>)}
            </div>
            {buttons}
          </div>
        ) : (
          <>
            {refusal}
            {buttons}
          </>
        )}
      </form>
    </Dialog>
  )
}
