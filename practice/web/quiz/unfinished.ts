import { useSyncExternalStore } from 'react'
import { deviceStore } from '../../../platform/web/storage.ts'
import { type Category, type Difficulty, isCategory, isDifficulty } from '../../categories.ts'
import { builtSearchOf, createDrafts, type NamedDraft } from './quiz-draft.ts'

/** A test that was begun on this device and not finished (product 3.3.6). */
export interface UnfinishedTest {
  category: Category
  difficulty: Difficulty
  /** null for a test of one's mistakes */
  testNumber: number | null
  /** the question where one stopped, from 1 */
  question: number
  answered: number
}

/** The tests of ten among some drafts, in their order; what is finished or unreadable is left out. */
export function unfinishedAmong(drafts: readonly NamedDraft[]): UnfinishedTest[] {
  return drafts.flatMap(({ name, draft }) => {
    const [category = '', difficulty = '', test = ''] = name.split('/')
    const testNumber = test === 'error-practice' ? null : Number(test)
    const isTest = testNumber === null || (Number.isSafeInteger(testNumber) && testNumber > 0)
    const answered = Object.keys(draft.answers).length
    if (!isCategory(category) || !isDifficulty(difficulty) || !isTest) return []
    if (draft.finished || answered === 0) return []
    return [{ category, difficulty, testNumber, question: draft.index + 1, answered }]
  })
}

/** A built test that was begun on this device and not finished (product 3.14.6). */
export interface UnfinishedBuilt {
  search: string
  /** the question where one stopped, from 1 */
  question: number
  answered: number
}

function builtAmong(drafts: readonly NamedDraft[]): UnfinishedBuilt[] {
  return drafts.flatMap(({ name, draft }) => {
    const search = builtSearchOf(name)
    const answered = Object.keys(draft.answers).length
    if (search === null || draft.finished || answered === 0) return []
    return [{ search, question: draft.index + 1, answered }]
  })
}

const drafts = createDrafts(deviceStore, Date.now)

/** Another tab that answers or finishes. */
function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  document.addEventListener('visibilitychange', onChange)
  return () => {
    removeEventListener('storage', onChange)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** What the screens know at once, without asking anybody: the person's unfinished tests, the latest first. */
export function useUnfinished(userId: string): UnfinishedTest[] {
  // As text, because React compares what it gets with what it got before.
  const text = useSyncExternalStore(subscribe, () => JSON.stringify(drafts.list(userId)))
  return unfinishedAmong(JSON.parse(text))
}

export function useUnfinishedBuilt(userId: string): UnfinishedBuilt[] {
  const text = useSyncExternalStore(subscribe, () => JSON.stringify(drafts.list(userId)))
  return builtAmong(JSON.parse(text))
}
