import type { DialogProps, QuestionProps } from './dialog-parts.tsx'
import { createPart, usePart } from './on-demand.ts'

const dialogPart = createPart(async () => (await import('./dialog-parts.tsx')).DialogPart)

/** A dialog with a title, a close button and whatever stands in it. */
export function Dialog(props: DialogProps) {
  const DialogPart = usePart(dialogPart, props)
  return DialogPart ? <DialogPart {...props} /> : null
}

const questionPart = createPart(async () => (await import('./dialog-parts.tsx')).QuestionPart)

/** A question that must be answered before something is lost. */
export function Question(props: QuestionProps) {
  const QuestionPart = usePart(questionPart, props)
  return QuestionPart ? <QuestionPart {...props} /> : null
}
