import type { LeftOutReason } from '../../question-files.ts'
import { plainText } from './plain-text.ts'
import { type Found, type FoundQuestion, flawedQuestion } from './review.ts'

// Aiken: a stem, options behind 'A.' or 'A)', and 'ANSWER: B'. It has no escapes and no feedback.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

interface Draft {
  line: number
  stem: string[]
  /** of its options */
  letters: string
  options: string[]
}

/** The questions of an Aiken file. */
export function readAiken(text: string): Found {
  const questions: FoundQuestion[] = []
  let draft: Draft | null = null
  for (const [index, written] of text.split(/\r\n?|\n/).entries()) {
    const line = written.trim()
    if (line === '') continue
    const [, answer] = /^ANSWER:\s*(.*)$/i.exec(line) ?? []
    if (answer !== undefined) {
      questions.push(
        draft ? questionOf(draft, answer) : flawedQuestion(`line ${index + 1}`, 'unreadable', line),
      )
      draft = null
      continue
    }
    const option = optionIn(line, draft)
    // Its ANSWER is missing: this is the next question.
    if (!option && draft && draft.options.length > 0) {
      questions.push(questionOf(draft, null))
      draft = null
    }
    draft ??= { line: index + 1, stem: [], letters: '', options: [] }
    if (option) {
      draft.letters += option.letter
      draft.options.push(option.text)
    } else draft.stem.push(line)
  }
  if (draft) questions.push(questionOf(draft, null))
  return { questions }
}

/** Without a blank behind it, a letter has to be the next one: a stem may begin so ('U.S. bonds'). */
function optionIn(line: string, draft: Draft | null): { letter: string; text: string } | null {
  const [, letter, blank, text = ''] = /^([A-Z])[.)](\s+|$)?(.*)$/.exec(line) ?? []
  if (letter === undefined) return null
  const isNext = draft && draft.stem.length > 0 && letter === LETTERS[draft.options.length]
  return blank || text === '' || isNext ? { letter, text } : null
}

/** @param answer null where it is missing; what was read stays, so that the rest can be typed on the page */
function questionOf({ line, stem, letters, options }: Draft, answer: string | null): FoundQuestion {
  const keys = (answer ?? '')
    .trim()
    .toUpperCase()
    .split(/[\s,;]+/)
  let flaw: LeftOutReason | null = null
  if (answer === null) flaw = options.length > 0 ? 'no_key' : 'no_question'
  else if (options.length === 0) flaw = 'too_few_options'
  else if (!LETTERS.startsWith(letters)) flaw = 'unreadable'
  else if (keys.some((key) => key.length !== 1 || !letters.includes(key))) flaw = 'unknown_key'
  else if (stem.length === 0) flaw = 'empty_text'
  return {
    place: `line ${line}`,
    stem: plainText(stem.join('\n')),
    options: options.map((option, index) => ({
      text: plainText(option),
      credit: keys.includes(letters[index] ?? '-') ? 100 : 0,
    })),
    flaw,
  }
}
