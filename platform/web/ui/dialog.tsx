import type { ReactNode, RefObject } from 'react'
import { createPart, usePart } from './on-demand.ts'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  /** wide ones are for reading */
  wide?: boolean
  /** how the button that closes it looks: a cross at the top, or the word at the foot */
  closeButton?: 'cross' | 'text'
  /** what takes the focus when it closes; without it, what had the focus before */
  finalFocus?: RefObject<HTMLElement | null>
  children: ReactNode
}

const dialogPart = createPart(async () => (await import('./dialog-parts.tsx')).DialogPart)

/** A dialog with a title, a close button and whatever stands in it. */
export function Dialog(props: DialogProps) {
  const DialogPart = usePart(dialogPart, props)
  return DialogPart ? <DialogPart {...props} /> : null
}

export interface QuestionProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: string
  /** the buttons, the safe one first */
  children: ReactNode
}

const questionPart = createPart(async () => (await import('./dialog-parts.tsx')).QuestionPart)

/** A question that must be answered before something is lost. */
export function Question(props: QuestionProps) {
  const QuestionPart = usePart(questionPart, props)
  return QuestionPart ? <QuestionPart {...props} /> : null
}
