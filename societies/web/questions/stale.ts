import type { QuestionContent } from '../../questions/question-content.ts'

/** What somebody else has saved while one wrote. */
export interface Stale {
  version: number
  content: QuestionContent
  changedByName: string | null
  /** one's own other tab or device */
  changedByYou: boolean
}

/** Who has saved, as a sentence begins; oneself is never another person. */
export const savedBy = (one: Pick<Stale, 'changedByName' | 'changedByYou'>): string =>
  one.changedByYou
    ? 'You have, on another page, saved'
    : `${one.changedByName ?? 'Somebody'} has saved`
