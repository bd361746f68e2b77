import * as z from 'zod/mini'
import { URLS } from '../../../platform/urls.ts'
import { DIFFICULTIES, type Difficulty, isDifficulty } from '../../categories.ts'
import { questionSchema } from '../../question.ts'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import type { Built } from '../quiz/quiz-state.ts'
import { topicHeading } from '../topics.ts'

export const SECONDS_A_QUESTION = 90

export const LENGTHS = [5, 10, 20, 30] as const

export interface Choice {
  /** as topicKey has them; none: every topic */
  topics: string[]
  /** none: every level */
  levels: Difficulty[]
  size: number
  clock: 'off' | 'pace' | 'timed'
  slip: string | null
  /** the very questions, once they are chosen */
  ids: number[]
  /** these questions were answered wrong in a built test before */
  ofMistakes: boolean
}

export const ANYTHING: Choice = {
  ...{ topics: [], levels: [], size: QUESTIONS_PER_TEST, clock: 'off' },
  ...{ slip: null, ids: [], ofMistakes: false },
}

const listOf = (text: string | null): string[] => (text ? text.split(',').filter(Boolean) : [])

/** A choice as an address carries it; what is unknown is left out. */
export function choiceOf(search: URLSearchParams): Choice {
  const clock = search.get('clock')
  const size = Number(search.get('n'))
  return {
    topics: listOf(search.get('topics')),
    levels: listOf(search.get('levels')).filter(isDifficulty),
    size: Number.isInteger(size) && size >= 1 && size <= 40 ? size : QUESTIONS_PER_TEST,
    clock: clock === 'pace' || clock === 'timed' ? clock : 'off',
    slip: search.get('slip'),
    ids: listOf(search.get('ids')).map(Number).filter(Number.isSafeInteger),
    ofMistakes: search.get('of') === 'mistakes',
  }
}

/** The same as an address's search, without what says nothing; equal choices come out alike. */
export function searchOf(choice: Choice): string {
  const search = new URLSearchParams()
  if (choice.topics.length > 0) search.set('topics', [...choice.topics].sort().join())
  const levels = DIFFICULTIES.filter((level) => choice.levels.includes(level))
  if (levels.length > 0 && levels.length < DIFFICULTIES.length) search.set('levels', levels.join())
  if (choice.slip) search.set('slip', choice.slip)
  if (choice.size !== QUESTIONS_PER_TEST) search.set('n', String(choice.size))
  if (choice.clock !== 'off') search.set('clock', choice.clock)
  if (choice.ofMistakes) search.set('of', 'mistakes')
  if (choice.ids.length > 0) search.set('ids', choice.ids.join())
  return String(search)
}

const builtStateSchema = z.object({ questions: z.array(questionSchema) })
export type BuiltState = z.infer<typeof builtStateSchema>

/** The questions from the browser's history where they match the address; it works without a network. */
export function givenOf(state: unknown, ids: readonly number[]) {
  const given = builtStateSchema.safeParse(state).data?.questions
  if (ids.length === 0 || given?.map(({ id }) => id).join() !== ids.join()) return undefined
  return { questions: given, found: given.length }
}

export const builtTestUrl = (choice: Choice): string => `${URLS.builtTest}?${searchOf(choice)}`

export function builtTitle({ topics, slip, ofMistakes }: Choice): string {
  const [topic] = topics
  if (topics.length === 1 && topic) return topicHeading(topic.split('/').at(-1) ?? topic)
  if (slip) return 'One mistake, across topics'
  if (ofMistakes) return 'Your mistakes'
  return topics.length > 1 ? `${topics.length} topics` : 'Your test'
}

export function builtOf(choice: Choice): Built {
  const { topics, levels, size, clock, slip, ofMistakes } = choice
  return {
    title: builtTitle(choice),
    search: searchOf(choice),
    againSearch: searchOf(ofMistakes ? choice : { ...choice, ids: [] }),
    ofMistakes,
    clock,
    about: { topics: topics.slice(0, 40), levels, size, clock, ...(slip && { slip }) },
    kind: slip ? 'slip' : 'built',
  }
}
