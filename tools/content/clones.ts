import type { ContentQuestion } from '../../practice/server/content/content.ts'

// Each idea is asked once (product 3.1.9). Stems and explanations are compared as bags of words weighted by rarity
// (tf-idf, cosine), without numbers and names. All questions about bonds are similar, so a pair's score is how much
// closer its two are than each is to its ten nearest (CSLS, Conneau and others, 2018). content/REVIEW.md lists the
// pairs that are kept on purpose.

/** A file with its items. `prefix` makes their ids unique over all files. */
export interface ItemSource {
  name: string
  /** '' for the bank, 'B' for brainteasers, 'PCF-' for the items of that assessment */
  prefix: string
  questions: readonly ContentQuestion[]
}

/** Two items that may ask the same. Higher scores come first. */
interface ClonePair {
  first: string
  second: string
  /** the second item's file, for messages */
  file: string
  score: number
  /** the minimum score at which a pair of this kind counts */
  limit: number
}

/**
 * Calibrated on the 24 groups in REVIEW.md that people considered one idea: across files, 20 of 23 pairs score higher,
 * and the other three share hardly a word. Within a file, the writer saw all the other questions, and series (order
 * books, dice) are close.
 */
const LIMIT_ACROSS_FILES = 0.18
const LIMIT_WITHIN_FILE = 0.3
const NEIGHBORS = 10

/** Words that carry no idea. */
const STOP_WORDS = new Set(
  `the a an of and to in on at by for is are was be it its that this which what how with as from or not no
  than so if per each one does do has have will would can may their they he she but only all any more most
  less same into over out after before when while because then there these those such who whom about also
  both other another just must should them his her you your were been had being up down off`.split(
    /\s+/,
  ),
)
const ENDINGS = [
  'ations', 'ation', 'ingly', 'ings', 'ing', 'edly', 'ies', 'ied', 'ed', 'es', 's', 'ly', 'er', 'ers',
] // biome-ignore format: one list
const CAPITALIZED_WITHIN_SENTENCE = /(?<![.!?:]\s)(?<!^)\b[A-Z][a-z]+\b/g

/** The stemmed words of a text that may carry its idea, without numbers, names or small words. */
export function ideaWords(text: string): string[] {
  const plain = text.trim().replace(CAPITALIZED_WITHIN_SENTENCE, '').toLowerCase()
  return (plain.match(/[a-z]{3,}/g) ?? []).filter((word) => !STOP_WORDS.has(word)).map(cutEnding)
}

function cutEnding(word: string): string {
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= 4)
  return ending ? word.slice(0, -ending.length) : word
}

type Vector = Map<string, number>

/** One unit vector per text, with each word weighted by the log of its rarity. */
function weigh(texts: readonly string[]): Vector[] {
  const words = texts.map((text) => new Set(ideaWords(text)))
  const textsWith = new Map<string, number>()
  for (const set of words)
    for (const word of set) textsWith.set(word, (textsWith.get(word) ?? 0) + 1)
  return words.map((set) => {
    const vector: Vector = new Map()
    for (const word of set) {
      const weight = Math.log(texts.length / (textsWith.get(word) as number))
      if (weight > 0) vector.set(word, weight)
    }
    const length = Math.hypot(...vector.values()) || 1
    for (const [word, weight] of vector) vector.set(word, weight / length)
    return vector
  })
}

/** Adds half of the cosine of every pair of vectors to `closeness`, an n × n matrix. */
function addCosines(vectors: readonly Vector[], closeness: Float32Array): void {
  const holders = new Map<string, [index: number, weight: number][]>()
  vectors.forEach((vector, index) => {
    for (const [word, weight] of vector) {
      const earlier = holders.get(word) ?? []
      for (const [other, otherWeight] of earlier) {
        const half = 0.5 * weight * otherWeight
        for (const place of [index * vectors.length + other, other * vectors.length + index]) {
          closeness[place] = (closeness[place] as number) + half
        }
      }
      earlier.push([index, weight])
      holders.set(word, earlier)
    }
  })
}

interface ScoredItem {
  file: string
  key: string
  question: string
  explanation: string
}

/** Every pair of active items with its score, each pair once. */
function* scorePairs(
  sources: readonly ItemSource[],
): Generator<{ one: ScoredItem; other: ScoredItem; score: number }> {
  const items = sources.flatMap(({ name, prefix, questions }) =>
    questions
      .filter(({ retired }) => !retired)
      .map(({ id, question, explanation }) => ({
        file: name,
        key: `${prefix}${id}`,
        question,
        explanation,
      })),
  )
  const count = items.length
  const closeness = new Float32Array(count * count)
  addCosines(weigh(items.map(({ question }) => question)), closeness)
  addCosines(weigh(items.map(({ explanation }) => explanation)), closeness)
  const near = items.map((_, index) => {
    const row = closeness.slice(index * count, (index + 1) * count).sort()
    return row.slice(-NEIGHBORS).reduce((sum, value) => sum + value, 0) / NEIGHBORS
  })
  for (const [first, one] of items.entries()) {
    for (let second = first + 1; second < count; second += 1) {
      const other = items[second] as ScoredItem
      const score =
        2 * (closeness[first * count + second] as number) -
        (near[first] as number) -
        (near[second] as number)
      yield { one, other, score }
    }
  }
}

/** All pairs of active items whose score reaches the limit, the highest first. */
export function findClones(sources: readonly ItemSource[]): ClonePair[] {
  const pairs: ClonePair[] = []
  for (const { one, other, score } of scorePairs(sources)) {
    const limit = one.file === other.file ? LIMIT_WITHIN_FILE : LIMIT_ACROSS_FILES
    if (score >= limit) {
      pairs.push({ first: one.key, second: other.key, file: other.file, score, limit })
    }
  }
  return pairs.sort((a, b) => b.score - a.score)
}

/** For each item of the named files, the nearest item of any other file. */
export function findNearest(
  sources: readonly ItemSource[],
  files: ReadonlySet<string>,
): Map<string, { key: string; score: number }> {
  const nearest = new Map<string, { key: string; score: number }>()
  const offer = (own: ScoredItem, other: ScoredItem, score: number) => {
    if (!files.has(own.file) || files.has(other.file)) return
    if (score > (nearest.get(own.key)?.score ?? Number.NEGATIVE_INFINITY)) {
      nearest.set(own.key, { key: other.key, score })
    }
  }
  for (const { one, other, score } of scorePairs(sources)) {
    offer(one, other, score)
    offer(other, one, score)
  }
  return nearest
}

/** Pairs listed in content/REVIEW.md: kept although they are close, or one idea although they are not. */
interface ReviewedPairs {
  kept: { keys: readonly string[]; reason: string }[]
  sameIdea: { keys: readonly string[] }[]
}

const KEPT_TITLE = '## Pairs that stay'
const SAME_TITLE = '## One idea in other words'
const REVIEWED_LINE = /^- ((?:[\w-]+ \/ )+[\w-]+)(?:: (.+))?$/

/** Reads the two lists of REVIEW.md: '- 1036 / 2092: why both stay' and '- 4013 / 7059'. */
export function readReviewedPairs(review: string): ReviewedPairs {
  const linesBelow = (title: string) => {
    const below = review.split(`${title}\n`)[1]?.split('\n## ')[0] ?? ''
    return below.split('\n').flatMap((line) => {
      const [, keys, reason = ''] = REVIEWED_LINE.exec(line) ?? []
      return keys ? [{ keys: keys.split(' / '), reason }] : []
    })
  }
  return { kept: linesBelow(KEPT_TITLE), sameIdea: linesBelow(SAME_TITLE) }
}

const nameOf = (first: string, second: string) => [first, second].sort().join(' / ')

/**
 * Reports pairs that ask the same and aren't kept on purpose, active items that people considered one idea, and
 * outdated lines of the review.
 */
export function checkClones(
  sources: readonly ItemSource[],
  { kept, sameIdea }: ReviewedPairs,
): { file: string; message: string }[] {
  const served = new Set(
    sources.flatMap(({ prefix, questions }) =>
      questions.filter(({ retired }) => !retired).map(({ id }) => `${prefix}${id}`),
    ),
  )
  const keptNames = new Set(
    kept.map(({ keys: [first = '', second = ''] }) => nameOf(first, second)),
  )
  const review = 'REVIEW.md'
  return [
    ...findClones(sources)
      .filter(({ first, second }) => !keptNames.has(nameOf(first, second)))
      .map(({ file, first, second, score, limit }) => ({
        file,
        message: `${second} has the same idea as ${first} (${score.toFixed(2)}, limit ${limit}): rewrite one, or say in REVIEW.md why both stay`,
      })),
    ...sameIdea
      .map(({ keys }) => keys.filter((key) => served.has(key)))
      .filter((keys) => keys.length > 1)
      .map((keys) => ({ file: review, message: `${keys.join(' and ')} are one idea: retire one` })),
    ...kept.flatMap(({ keys, reason }) => {
      const gone = keys.filter((key) => !served.has(key))
      if (gone.length > 0) {
        return [
          { file: review, message: `keeps ${keys.join(' / ')}, but ${gone.join()} is not served` },
        ]
      }
      return reason.split(/\s+/).length < 3
        ? [{ file: review, message: `keeps ${keys.join(' / ')} without giving a reason` }]
        : []
    }),
  ]
}
