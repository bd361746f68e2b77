import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import type { LeftOutReason } from '../../../questions/question-files.ts'
import type { NotWrittenReason } from '../../../questions/written-formats.ts'
import { tidy } from '../files/plain-text.ts'
import { type Found, type FoundQuestion, flawedQuestion, type Question } from '../question.ts'

/*
 * Aiken: a stem, options behind 'A.' or 'A)', and 'ANSWER: B'. It has no escapes and no feedback.
 */

const OPTION = /^([A-Z])[.)](?:\s+|$)(.*)$/
/** Without a blank, as Moodle reads it too; a stem may begin so ('U.S. bonds'). */
const TIGHT_OPTION = /^([A-Z])[.)](\S.*)$/
const ANSWER = /^ANSWER:\s*(.*)$/i

interface Draft {
  line: number
  stem: string[]
  options: string[]
  /** its letters do not count up from A */
  isOutOfOrder: boolean
}

/** The questions of an Aiken file. */
export function readAiken(text: string): Found {
  const questions: FoundQuestion[] = []
  let draft: Draft | null = null
  const giveUp = (flaw: LeftOutReason) => {
    // What was read of it stays: on the page the rest can be typed.
    if (draft) questions.push(questionOf(draft, [], flaw))
    draft = null
  }
  for (const [index, written] of text.split(/\r\n?|\n/).entries()) {
    const line = written.trim()
    const number = index + 1
    if (line === '') continue
    const [, letter, option = ''] = OPTION.exec(line) ?? tightOption(line, draft) ?? []
    const [, answer] = ANSWER.exec(line) ?? []
    if (answer !== undefined) {
      if (draft) questions.push(finish(draft, answer))
      else questions.push(flawedQuestion(`line ${number}`, 'unreadable', line))
      draft = null
    } else if (letter !== undefined) {
      // An option without a question before it.
      draft ??= { line: number, stem: [], options: [], isOutOfOrder: false }
      if (letter !== String.fromCharCode(65 + draft.options.length)) draft.isOutOfOrder = true
      draft.options.push(option)
    } else if (draft && draft.options.length > 0) {
      // Its ANSWER is missing: this is the next one.
      giveUp('no_key')
      draft = { line: number, stem: [line], options: [], isOutOfOrder: false }
    } else {
      draft ??= { line: number, stem: [], options: [], isOutOfOrder: false }
      draft.stem.push(line)
    }
  }
  giveUp(draft && (draft as Draft).options.length > 0 ? 'no_key' : 'no_question')
  return { questions, notices: [] }
}

/** The next letter of a question that has its text already. */
function tightOption(line: string, draft: Draft | null): RegExpExecArray | null {
  const found = TIGHT_OPTION.exec(line)
  if (!found || !draft || draft.stem.length === 0) return null
  return found[1] === String.fromCharCode(65 + draft.options.length) ? found : null
}

const stemOf = ({ stem }: Draft) => tidy(stem.join('\n'))

function finish(draft: Draft, answer: string): FoundQuestion {
  const letters = answer
    .trim()
    .toUpperCase()
    .split(/[\s,;]+/)
  const keys = letters.map((letter) => letter.charCodeAt(0) - 65)
  if (draft.options.length === 0) return questionOf(draft, [], 'too_few_options')
  if (draft.isOutOfOrder) return questionOf(draft, [], 'unreadable')
  const isKnown =
    letters.every((letter) => /^[A-Z]$/.test(letter)) &&
    keys.every((key) => key < draft.options.length)
  if (!isKnown) return questionOf(draft, [], 'unknown_key')
  return questionOf(draft, keys, draft.stem.length > 0 ? null : 'empty_text')
}

function questionOf(
  draft: Draft,
  keys: readonly number[],
  flaw: LeftOutReason | null,
): FoundQuestion {
  return {
    place: `line ${draft.line}`,
    stem: stemOf(draft),
    options: draft.options.map((option, index) => ({
      text: tidy(option),
      credit: keys.includes(index) ? 100 : 0,
      feedback: '',
    })),
    explanation: '',
    category: '',
    flaw,
    notices: [],
  }
}

/** A question in Aiken, or why it can not be written. Explanations are left out. */
export function writeAiken({ question, options, answer }: Question): string | NotWrittenReason {
  const stem = question.split('\n')
  if (stem.some((line) => line.trim() === '' || OPTION.test(line) || ANSWER.test(line))) {
    return 'aiken_lines'
  }
  if (OPTION_LETTERS.some((letter) => /\n/.test(options[letter]))) return 'aiken_lines'
  return [
    question,
    ...OPTION_LETTERS.map((letter) => `${letter}. ${options[letter]}`),
    `ANSWER: ${answer}`,
    '',
  ].join('\n')
}
