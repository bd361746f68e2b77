import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { type Passage, POINT_COUNT, type SpokenPrompt } from '../../practice/aloud/spoken-prompt.ts'
import { writtenPromptSchema } from '../../practice/server/aloud/spoken-content.ts'
import type { Problem } from './check.ts'
import { findBrokenWords } from './check-item.ts'

/** Words per minute that are easy to follow. Slower speakers pause too much, and faster ones recite. */
const PACE = { slowest: 120, fastest: 180 }
/** Target length of the two model answers in minutes. */
const MODEL_MINUTES = { short: 0.5, long: 2 } as const
const FOLLOW_UPS = 3
const FOLLOW_UP_WORDS = { min: 25, max: 110 }
/** Maximum characters, so that texts fit where they are shown. */
const LONGEST = { prompt: 110, hint: 170, say: 60, note: 80, wrongTurn: 420 }
/** Minimum number of blanks in each model answer of a behavioral frame. */
const BLANKS = { short: 4, long: 8 } as const

/** Checks content/aloud/ (product 3.13.2, docs/answer-aloud.md) and reports all problems together. */
export function checkSpokenPrompts(files: readonly { name: string; text: string }[]): {
  problems: Problem[]
  prompts: SpokenPrompt[]
} {
  const problems: Problem[] = []
  const prompts: SpokenPrompt[] = []
  const standing = new Map<string, string>()
  for (const { name, text } of files) {
    const parsed = z.array(writtenPromptSchema).safeParse(parseYaml(text))
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) {
        problems.push({ file: name, message: `${path.join('.')}: ${message}` })
      }
      continue
    }
    for (const prompt of parsed.data) {
      prompts.push(prompt)
      const found = checkSpokenPrompt(prompt)
      for (const what of [prompt.slug, prompt.prompt.toLowerCase()]) {
        if (standing.has(what)) found.push(`'${what}' is also in ${standing.get(what)}`)
        standing.set(what, name)
      }
      problems.push(
        ...found.map((message) => ({ file: name, message: `${prompt.slug}: ${message}` })),
      )
    }
  }
  return { problems, prompts }
}

/** The problems of one prompt, each a sentence. */
export function checkSpokenPrompt(prompt: SpokenPrompt): string[] {
  const found: string[] = []
  if (prompt.points.length !== POINT_COUNT) {
    found.push(`has ${prompt.points.length} points, not ${POINT_COUNT}`)
  }
  const { points, hint, wrongTurn } = prompt
  for (const [what, text, longest] of [
    ['prompt', prompt.prompt, LONGEST.prompt] as const,
    ['hint', hint, LONGEST.hint] as const,
    ['wrongTurn', wrongTurn, LONGEST.wrongTurn] as const,
    ...prompt.followUps.map(
      (one, index) => [`follow-up ${index + 1}`, one.prompt, LONGEST.prompt] as const,
    ),
    ...points.flatMap(({ say, note }, index) => [
      [`point ${index + 1}`, say, LONGEST.say] as const,
      [`note of point ${index + 1}`, note ?? '', LONGEST.note] as const,
    ]),
  ]) {
    if (text.length > longest) found.push(`${what}: ${text.length} characters, at most ${longest}`)
  }
  for (const which of ['short', 'long'] as const) found.push(...checkModel(prompt, which))
  if (prompt.followUps.length !== FOLLOW_UPS) {
    found.push(`has ${prompt.followUps.length} follow-ups, not ${FOLLOW_UPS}`)
  }
  for (const [index, { answer }] of prompt.followUps.entries()) {
    const words = countWords(answer)
    if (words >= FOLLOW_UP_WORDS.min && words <= FOLLOW_UP_WORDS.max) continue
    found.push(
      `follow-up ${index + 1}: ${words} words, not ${FOLLOW_UP_WORDS.min} to ${FOLLOW_UP_WORDS.max}`,
    )
  }
  found.push(...textsOf(prompt).flatMap(checkSigns))
  return found
}

function checkModel(prompt: SpokenPrompt, which: 'short' | 'long'): string[] {
  const found: string[] = []
  const passages = prompt[which]
  const minutes = MODEL_MINUTES[which]
  const words = countWords(passages.map(({ text }) => text).join(' '))
  const pace = Math.round(words / minutes)
  if (pace < PACE.slowest || pace > PACE.fastest) {
    found.push(
      `${which}: ${words} words are ${pace} per minute; ${PACE.slowest * minutes} to ${PACE.fastest * minutes} words are easy to follow`,
    )
  }
  const covered = new Set(passages.flatMap(({ points }) => points))
  for (let point = 1; point <= prompt.points.length; point += 1) {
    if (!covered.has(point)) found.push(`${which}: no sentence makes point ${point}`)
  }
  for (const point of covered) {
    if (point > prompt.points.length) found.push(`${which}: there is no point ${point}`)
  }
  for (const { text } of passages) {
    if (!/[.?!]['\])]?$/.test(text))
      found.push(`${which}: '${endOf(text)}' does not end like a sentence`)
  }
  if (prompt.kind === 'behavioral') found.push(...checkFrame(passages, which))
  return found
}

const FIRST_PERSON = /\b(I|we|my|our|us|me)\b/i
const PAST =
  /\b(was|were|had|did|led|ran|built|made|took|found|went|came|got|gave|told|kept|felt|learnt|thought|knew|saw|spoke|wrote|brought|chose|\w{3,}(?<!ne|spe|exce|proce|succe)ed)\b/i

/**
 * A behavioral answer is a frame, so no experience is made up. Speakers fill in the brackets, and each sentence about
 * the past has at least one.
 */
function checkFrame(passages: readonly Passage[], which: 'short' | 'long'): string[] {
  const found: string[] = []
  const text = passages.map((passage) => passage.text).join(' ')
  const blanks = text.match(/\[[^\]]+\]/g)?.length ?? 0
  if (blanks < BLANKS[which]) {
    found.push(
      `${which}: a frame needs at least ${BLANKS[which]} blanks in [brackets], but has ${blanks}`,
    )
  }
  for (const sentence of text.split(/(?<=[.?!])\s+(?=[A-Z['])/)) {
    const said = sentence.replaceAll(/\[[^\]]+\]/g, ' ')
    if (said === sentence && FIRST_PERSON.test(said) && PAST.test(said)) {
      found.push(`${which}: '${sentence}' describes an experience; a frame needs [brackets] there`)
    }
    if (/\d/.test(said)) found.push(`${which}: '${sentence}' has a number without brackets`)
  }
  return found
}

function* texts(prompt: SpokenPrompt): Generator<string> {
  yield prompt.prompt
  yield prompt.hint
  yield prompt.wrongTurn
  for (const { prompt: asked, answer } of prompt.followUps) yield* [asked, answer]
  for (const { text } of [...prompt.short, ...prompt.long]) yield text
  for (const { say, note } of prompt.points) yield* [say, note ?? '']
}
const textsOf = (prompt: SpokenPrompt) => [...texts(prompt)]

/** Requires real signs, straight quotes, and no year, because spoken answers must not become outdated. */
function checkSigns(text: string): string[] {
  const found: string[] = []
  if (/(^|[\s($])-\d|\s-\s/.test(text)) found.push(`'${endOf(text)}' has a hyphen for a minus (−)`)
  if (/\d\s?x\s?\d|\d\s\*\s\d/.test(text)) found.push(`'${endOf(text)}' has a letter for ×`)
  for (const word of findBrokenWords(text)) found.push(`'${word}' is broken at its hyphen`)
  if (/[‘’“”]/.test(text)) found.push(`'${endOf(text)}' has a curly quote`)
  if (/\b(19|20)\d\d\b/.test(text))
    found.push(`'${endOf(text)}' names a year, which becomes outdated`)
  return found
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

const endOf = (text: string) => (text.length > 60 ? `… ${text.slice(-58)}` : text)
