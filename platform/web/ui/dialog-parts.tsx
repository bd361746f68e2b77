import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { BackCloses } from './back.tsx'

const backdrop = 'fixed inset-0 z-50 bg-black/50'
const popup =
  'card fixed top-1/2 left-1/2 z-50 flex max-h-[min(86dvh,720px)] short:max-h-[calc(100dvh-16px)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col'
const workPopup =
  'card fixed z-50 flex flex-col max-md:inset-0 max-md:rounded-none max-md:border-0 md:top-1/2 md:left-1/2 md:max-h-[min(92dvh,860px)] md:w-[calc(100vw-4rem)] md:-translate-x-1/2 md:-translate-y-1/2'

export function DialogPart(props: DialogProps) {
  const content = useRef<HTMLDivElement>(null)
  return (
    <BaseDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      {props.open && <BackCloses close={() => props.onOpenChange(false)} />}
      <BaseDialog.Portal>
        <BaseDialog.Backdrop forceRender className={backdrop} />
        <BaseDialog.Popup
          // A form starts in its first field, except on touch devices, where the keyboard would pop up.
          initialFocus={(opened) => opened === 'touch' || (firstFieldOf(content.current) ?? true)}
          finalFocus={props.finalFocus}
          className={
            props.work
              ? `${workPopup} ${props.work === 'wide' ? 'md:max-w-[1128px]' : 'md:max-w-[620px]'}`
              : `${popup} ${props.wide ? 'max-w-[720px]' : 'max-w-[460px]'}`
          }
        >
          <div
            className={`flex items-start justify-between gap-4 px-6 pt-5 ${props.work && !props.description ? 'border-line border-b pb-4' : ''}`}
          >
            <BaseDialog.Title className="text-[24px]">{props.title}</BaseDialog.Title>
            {props.closeButton !== 'text' && (
              <BaseDialog.Close
                aria-label="Close"
                className="-mt-1 -mr-2 grid size-9 place-items-center text-ink-2"
              >
                <X size={18} aria-hidden />
              </BaseDialog.Close>
            )}
          </div>
          {props.description && (
            <BaseDialog.Description
              className={`px-6 text-ink-2 ${props.work ? 'border-line border-b pt-1 pb-4' : 'pt-2'}`}
            >
              {props.description}
            </BaseDialog.Description>
          )}
          {/* Focusable, so that a long text scrolls by keyboard. */}
          <div
            ref={content}
            className={
              props.work ? 'flex min-h-0 flex-1 flex-col' : 'overflow-y-auto px-6 pt-4 pb-6'
            }
            tabIndex={props.wide ? 0 : undefined}
          >
            {props.children}
          </div>
          {props.closeButton === 'text' && (
            <div className="border-line border-t px-6 py-4">
              <BaseDialog.Close className="btn">Close</BaseDialog.Close>
            </div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

function firstFieldOf(content: HTMLElement | null) {
  return content?.querySelector<HTMLElement>('input:not([hidden]), textarea')
}

export function QuestionPart(props: QuestionProps) {
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      {props.open && <BackCloses close={() => props.onOpenChange(false)} />}
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className={backdrop} />
        <AlertDialog.Popup className={`${popup} max-w-[440px] p-6`}>
          <AlertDialog.Title className="text-[24px]">{props.title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-3 text-ink-2">
            {props.description}
          </AlertDialog.Description>
          <div className="mt-6 flex flex-wrap gap-3">{props.children}</div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  /** for long texts */
  wide?: boolean
  /** for forms: the content scrolls and the buttons stay at the bottom; full-screen on a phone */
  work?: 'wide' | 'narrow'
  /** the close button: a cross at the top, or a word at the bottom */
  closeButton?: 'cross' | 'text'
  /** gets the focus on close; default: the element that had it before */
  finalFocus?: RefObject<HTMLElement | null>
  children: ReactNode
}
export interface QuestionProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: string
  /** the buttons, the safe one first */
  children: ReactNode
}
