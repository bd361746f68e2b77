import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { DIFFICULTIES, type Difficulty, isDifficulty } from '../../categories.ts'
import { buildTest, getMastery } from '../../contract/build.ts'
import { questionSchema } from '../../question.ts'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import { queryOfToday } from '../queries.ts'
import type { Built } from '../quiz/quiz-state.ts'
import { topicHeading } from '../topics.ts'

export const SECONDS_A_QUESTION = 90

export const LENGTHS = [5, 10, 20, 30] as const

export interface Choice {
  /** topicKey values; empty for every topic */
  topics: string[]
  /** empty for every level */
  levels: Difficulty[]
  size: number
  clock: 'off' | 'pace' | 'timed'
  slip: string | null
  ids: number[]
  ofMistakes: boolean
}

export const ANYTHING: Choice = {
  ...{ topics: [], levels: [], size: QUESTIONS_PER_TEST, clock: 'off' },
  ...{ slip: null, ids: [], ofMistakes: false },
}

const listOf = (text: string | null): string[] => (text ? text.split(',').filter(Boolean) : [])

/** Reads a choice from an address and ignores unknown values. */
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

/** Writes a choice as an address's search, without defaults. Equal choices give equal text. */
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

/** Takes the questions from the browser's history if they match the address, so it works offline. */
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

function queryOf({ topics, levels, size, slip, ids }: Choice) {
  const timeZone = deviceTimeZone()
  if (ids.length > 0) return { ids: ids.join(), timeZone }
  return {
    ...(topics.length > 0 && { topics: topics.join() }),
    ...(levels.length > 0 && { levels: levels.join() }),
    ...(slip && { slip }),
    n: String(size),
    timeZone,
  }
}

/** Loads a custom test's questions, which must not change while a person answers. */
export const builtTestQuery = (choice: Choice) =>
  queryOptions({
    ...endpointQuery(buildTest, { query: queryOf(choice) }),
    // Chosen questions stay. Before that, each request draws another test.
    staleTime: choice.ids.length > 0 ? Number.POSITIVE_INFINITY : 0,
    gcTime: choice.ids.length > 0 ? 300_000 : 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.data === undefined,
  })

export const fittingQuery = (choice: Choice) => {
  const query = queryOf({ ...choice, size: 1, ids: [] })
  return queryOptions({
    queryKey: ['api', 'practice', 'fitting', query],
    queryFn: async ({ signal }) => (await call(buildTest, { query }, { signal })).found,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  })
}

export const masteryQuery = () =>
  queryOfToday(getMastery, { query: { timeZone: deviceTimeZone() } })
