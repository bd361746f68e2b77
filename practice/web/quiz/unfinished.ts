import { useSyncExternalStore } from 'react'
import { deviceStore } from '../../../platform/web/storage.ts'
import { type Category, type Difficulty, isCategory, isDifficulty } from '../../categories.ts'
import { builtSearchOf, createDrafts, type Drafts } from './quiz-draft.ts'

export interface UnfinishedTest {
  category: Category
  difficulty: Difficulty
  testNumber: number | null
  question: number
  answered: number
}

export type UnfinishedBuilt = Pick<UnfinishedTest, 'question' | 'answered'> & { search: string }

type NamedDraft = ReturnType<Drafts['list']>[number]

/** Returns the drafts in progress: those with an answer that aren't finished. */
const openAmong = (drafts: readonly NamedDraft[]) =>
  drafts.flatMap(({ name, value: { answers, finished, index } }) => {
    const answered = Object.keys(answers).length
    return finished || answered === 0 ? [] : [{ name, question: index + 1, answered }]
  })

export function unfinishedAmong(drafts: readonly NamedDraft[]): UnfinishedTest[] {
  return openAmong(drafts).flatMap(({ name, ...draft }) => {
    const [category = '', difficulty = '', test = ''] = name.split('/')
    const testNumber = test === 'error-practice' ? null : Number(test)
    const isTest = testNumber === null || (Number.isSafeInteger(testNumber) && testNumber > 0)
    if (!isCategory(category) || !isDifficulty(difficulty) || !isTest) return []
    return [{ category, difficulty, testNumber, ...draft }]
  })
}

function builtAmong(drafts: readonly NamedDraft[]): UnfinishedBuilt[] {
  return openAmong(drafts).flatMap(({ name, ...draft }) => {
    const search = builtSearchOf(name)
    return search === null ? [] : [{ search, ...draft }]
  })
}

const drafts = createDrafts(deviceStore, Date.now)

function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  document.addEventListener('visibilitychange', onChange)
  return () => {
    removeEventListener('storage', onChange)
    document.removeEventListener('visibilitychange', onChange)
  }
}

function useDrafts(userId: string): NamedDraft[] {
  // React compares snapshots by identity, so this one is text.
  return JSON.parse(useSyncExternalStore(subscribe, () => JSON.stringify(drafts.list(userId))))
}

export const useUnfinished = (userId: string): UnfinishedTest[] =>
  unfinishedAmong(useDrafts(userId))

export const useUnfinishedBuilt = (userId: string): UnfinishedBuilt[] =>
  builtAmong(useDrafts(userId))
