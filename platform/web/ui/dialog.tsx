import { openedOnDemand } from './on-demand.ts'

export const Dialog = openedOnDemand(async () => (await import('./dialog-parts.tsx')).DialogPart)

/** A question to answer before something is lost. */
export const Question = openedOnDemand(
  async () => (await import('./dialog-parts.tsx')).QuestionPart,
)
