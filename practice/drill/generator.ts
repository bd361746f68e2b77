import {
  countSums,
  KIND_NAMES,
  KINDS,
  type KindName,
  type Preset,
  SPRINT_MAKERS,
} from './presets.ts'
import { finishSum, type SeededRandom, type Sum, seededRandom } from './sum.ts'

/**
 * Raise this after any change to a maker, a preset's kinds or the random generator, because drills are stored by their
 * seed. generator.test.ts fails until you do. Drills of a removed version keep only their score (decision 032).
 */
export const GENERATOR_VERSION = 1

const VERSIONS: Record<number, (preset: Preset, seed: number) => Sum[]> = { 1: makeSums }

/** Returns the same questions for a preset, version and seed (product 3.11.4), or null for an unknown version. */
export function sumsOf(preset: Preset, version: number, seed: number): Sum[] | null {
  return VERSIONS[version]?.(preset, seed) ?? null
}

function makeSums(preset: Preset, seed: number): Sum[] {
  const random = seededRandom(seed)
  const order = random.shuffle(
    KIND_NAMES.flatMap((name) => Array<KindName>(preset.kinds[name] ?? 0).fill(name)),
  )
  const asked = new Set<string>()
  return order.map((name) => {
    const sum = makeNew(random, preset, name, asked)
    asked.add(sum.prompt)
    return sum
  })
}

/** Kinds with few questions may repeat one after this many tries. */
const TRIES = 60

function makeNew(random: SeededRandom, preset: Preset, name: KindName, asked: Set<string>): Sum {
  const make = (preset.takesNoEnter && SPRINT_MAKERS[name]) || KINDS[name].make
  let draft = make(random, preset.answering)
  for (let tries = 0; asked.has(draft.prompt) && tries < TRIES; tries += 1) {
    draft = make(random, preset.answering)
  }
  return finishSum(name, draft, random)
}

export interface SumPlace {
  seed: number
  place: number
}

export interface AskedSum extends Sum {
  from?: SumPlace
}

/** Up to eight wrong questions of the last drill return, one in every five (product 3.11.10). */
export const MOST_RETURNING = 8
const APART = 5

export function withReturning(sums: readonly Sum[], returning: readonly AskedSum[]): AskedSum[] {
  const prompts = new Set(returning.map((sum) => sum.prompt))
  return sums.map((sum, place) => {
    const back = place % APART === APART - 1 ? returning[(place + 1) / APART - 1] : undefined
    // The drill may already ask this question.
    return back && !sums.some((one) => one.prompt === back.prompt && prompts.has(one.prompt))
      ? back
      : sum
  })
}

/** Returns the answered questions, some from earlier drills, or null for an unknown version or place. */
export function sumsAnswered(
  preset: Preset,
  drill: { version: number; seed: number; answers: readonly { from?: SumPlace | undefined }[] },
): AskedSum[] | null {
  const lists = new Map<number, Sum[] | null>()
  const listOf = (seed: number) => {
    if (!lists.has(seed)) lists.set(seed, sumsOf(preset, drill.version, seed))
    return lists.get(seed)
  }
  const seeds = new Set(drill.answers.flatMap(({ from }) => (from ? [from.seed] : [])))
  if (seeds.size > MOST_RETURNING || drill.answers.length > countSums(preset)) return null
  const sums: AskedSum[] = []
  for (const [index, { from }] of drill.answers.entries()) {
    const sum = listOf(from?.seed ?? drill.seed)?.[from?.place ?? index]
    if (!sum) return null
    sums.push(from ? { ...sum, from } : sum)
  }
  return sums
}
