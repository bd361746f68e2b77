import type { LeftOutReason } from '../../../questions/question-files.ts'
import { tidy } from '../files/plain-text.ts'
import { type Found, type FoundQuestion, flawedQuestion } from '../question.ts'

/*
 * Aiken: a stem, options behind 'A.' or 'A)', and 'ANSWER: B'. It has no escapes and no feedback.
 */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const OPTION = /^([A-Z])[.)](?:\s+|$)(.*)$/
/** Without a blank, as Moodle reads it too; a stem may begin so ('U.S. bonds'). */
const TIGHT_OPTION = /^([A-Z])[.)](\S.*)$/
const ANSWER = /^ANSWER:\s*(.*)$/i

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
    const [, answer] = ANSWER.exec(line) ?? []
    if (answer !== undefined) {
      questions.push(
        draft ? questionOf(draft, answer) : flawedQuestion(`line ${index + 1}`, 'unreadable', line),
      )
      draft = null
      continue
    }
    const [, letter, option = ''] = OPTION.exec(line) ?? tightOption(line, draft) ?? []
    // Its ANSWER is missing: this is the next question.
    if (letter === undefined && draft && draft.options.length > 0) {
      questions.push(questionOf(draft, null))
      draft = null
    }
    draft ??= { line: index + 1, stem: [], letters: '', options: [] }
    if (letter === undefined) draft.stem.push(line)
    else {
      draft.letters += letter
      draft.options.push(option)
    }
  }
  if (draft) questions.push(questionOf(draft, null))
  return { questions, notices: [] }
}

/** The next letter of a question that has its text already. */
function tightOption(line: string, draft: Draft | null): RegExpExecArray | null {
  const found = TIGHT_OPTION.exec(line)
  const isNext = draft && draft.stem.length > 0 && found?.[1] === LETTERS[draft.options.length]
  return isNext ? found : null
}

/** @param answer null where it is missing; what was read stays, so that the rest can be typed on the page */
function questionOf(draft: Draft, answer: string | null): FoundQuestion {
  const keys = (answer ?? '')
    .trim()
    .toUpperCase()
    .split(/[\s,;]+/)
  const { line, stem, letters, options } = draft
  return {
    place: `line ${line}`,
    stem: tidy(stem.join('\n')),
    options: options.map((option, index) => ({
      text: tidy(option),
      credit: keys.includes(letters[index] ?? '-') ? 100 : 0,
      feedback: '',
    })),
    explanation: '',
    category: '',
    flaw: flawOf(),
    notices: [],
  }
  function flawOf(): LeftOutReason | null {
    if (answer === null) return options.length > 0 ? 'no_key' : 'no_question'
    if (options.length === 0) return 'too_few_options'
    if (!LETTERS.startsWith(letters)) return 'unreadable'
    if (keys.some((key) => key.length !== 1 || !letters.includes(key))) return 'unknown_key'
    return stem.length > 0 ? null : 'empty_text'
  }
}
