import type { FormEvent, ReactNode, RefObject } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'

/** What a button says, and what it says while it works. */
export type ButtonWords = readonly [label: string, busy: string]

/**
 * The dialog before an act: Enter does it, Esc leaves. The button that does it comes first, then Cancel.
 * @param props.work a larger one whose content scrolls by itself, with its buttons at the foot; on a phone a page
 * @param props.button null: it only shows
 */
export function DialogFrame(props: {
  title: string
  text?: string | undefined
  work?: 'wide' | 'narrow'
  wide?: boolean
  /** beside the buttons of a larger one */
  note?: ReactNode
  problem: string | null
  button: ButtonWords | null
  isReady?: boolean
  isBusy: boolean
  /** another way on, behind Cancel */
  more?: ReactNode
  finalFocus?: RefObject<HTMLElement | null>
  onAct: () => void
  onClose: () => void
  children?: ReactNode
}) {
  const { work, button, problem, isReady = true, isBusy } = props
  function submit(event: FormEvent) {
    event.preventDefault()
    // A dialog can stand inside of a page's form.
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
      {...(props.text && { description: props.text })}
      {...(work && { work })}
      {...(props.wide && { wide: true })}
      {...(props.finalFocus && { finalFocus: props.finalFocus })}
    >
      {work ? (
        <form noValidate className="flex min-h-0 flex-1 flex-col" onSubmit={submit}>
          {props.children}
          <div className="flex flex-wrap items-center gap-3 border-line border-t px-6 py-4">
            <div className="min-w-0 flex-1 basis-60 text-pretty">
              {refusal || (props.note && <p className="hint text-ink-2">{props.note}</p>)}
            </div>
            {buttons}
          </div>
        </form>
      ) : (
        <form noValidate className="grid gap-4" onSubmit={submit}>
          {props.children}
          {refusal}
          {buttons}
        </form>
      )}
    </Dialog>
  )
}
