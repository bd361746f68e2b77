import type { DialogProps, QuestionProps } from './dialog-parts.tsx'
import { createPart, usePart } from './on-demand.ts'

const dialogPart = createPart(async () => (await import('./dialog-parts.tsx')).DialogPart)

export function Dialog(props: DialogProps) {
  const DialogPart = usePart(dialogPart, props)
  return DialogPart ? <DialogPart {...props} /> : null
}

const questionPart = createPart(async () => (await import('./dialog-parts.tsx')).QuestionPart)

/** A question to answer before something is lost. */
export function Question(props: QuestionProps) {
  const QuestionPart = usePart(questionPart, props)
  return QuestionPart ? <QuestionPart {...props} /> : null
}
