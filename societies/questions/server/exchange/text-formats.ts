import { groupBy } from '../../../../assessments/attempt-log.ts'
import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import type { WrittenQuestion } from '../../question-content.ts'
import type { LeftOutReason } from '../../question-files.ts'
import { LIMITS, QuestionFileError } from './bytes.ts'
import { type PlainText, plainText, textOfAny, textOfHtml } from './plain-text.ts'
import { categoryOf, type Found, type FoundQuestion, flawedQuestion } from './review.ts'

// Reads typed lists, including Aiken: a stem, options after 'A.', 'a)' or '(a)', and the key as 'Answer: B', as a
// star at an option, or in a list of keys at the end.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ANSWER =
  /^(?:the )?(?:(?:(?:correct|right) )?(?:answers?|ans|key|solution)|(?:correct|right) option)(?:\s*[:=–-]|\s+is\b(?!.*\?))\s*(.*)$/i
const EXPLANATION = /^(?:explanation|rationale|feedback)\s*:\s*(.*)$/i
/** The heading of a key list, and a line in it: '1. B' or '1-B, 2-C'. */
const KEYS_HEADING = /^(?:answer key|answers|keys|solutions)\s*:?$/i
const KEYS = /^\(?(?:\d{1,3}\W{0,3}[A-J]\b\W{0,3})+$/i
const SECTION = /^(?:section|part|chapter) (?:\d{1,2}|[a-z]|[ivx]+)\b(?!.*\?)/i

interface Draft {
  line: number
  stem: string[]
  letters: string
  options: string[]
  /** letters of the options with a star */
  starred: string[]
  /** null if it is missing; the rest stays, so the member can add it on the page */
  answer: string | null
  explanation: string
  category: string
}

export const looksLikeList = (text: string): boolean =>
  /^[\s*(]*a[.)]\s*\S/im.test(text) && /^[\s*(]*b[.)]\s*\S/im.test(text)

export function readList(text: string): Found {
  const drafts: Draft[] = []
  const keys: { number: number; key: string }[] = []
  let category = ''
  let draft: Draft | null = null
  for (const [index, written] of text.split(/\r\n?|\n/).entries()) {
    const line = written.trim().replace(/^(?:#{2,6} |\*\*)(.*?)(?:\*\*)?$/, '$1')
    if (line === '') continue
    const hasOptions: boolean = draft !== null && draft.options.length > 0
    const isBetween = !draft || hasOptions
    const option = optionIn(line, draft)
    const [, answer] = ANSWER.exec(line) ?? []
    const [, explanation] = EXPLANATION.exec(line) ?? []
    const last = drafts.at(-1)
    if (KEYS_HEADING.test(line)) draft = null
    else if (isBetween && KEYS.test(line)) {
      for (const [, number, key = ''] of line.matchAll(/(\d+)\W*([A-J])/gi)) {
        keys.push({ number: Number(number), key })
      }
      draft = null
    } else if (isBetween && SECTION.test(line)) {
      category = line
      draft = null
    } else if (answer !== undefined && draft) {
      draft.answer = answer
      draft = null
    } else if (explanation !== undefined && last && isBetween) {
      last.explanation = explanation
    } else {
      // If no key came before it, this line starts the next question.
      if (!draft || (hasOptions && !option)) {
        draft = {
          ...{ line: index + 1, stem: [], letters: '', options: [], starred: [], category },
          ...{ answer: null, explanation: '' },
        }
        drafts.push(draft)
        // This check runs while reading, because a file of 5 MB can have hundreds of thousands.
        if (drafts.length > LIMITS.questions) throw new QuestionFileError('too_many_questions')
      }
      if (option) {
        draft.letters += option.letter
        draft.options.push(option.text)
        if (option.isStarred) draft.starred.push(option.letter)
      } else draft.stem.push(line)
      // This answer belongs to no question.
      if (answer !== undefined) draft = null
    }
  }
  const keyless = drafts.filter(({ answer }) => answer === null)
  const numbers = keyless.map(({ stem: [first = ''] }, at) =>
    Number(/^\(?(\d{1,3})[.)]\s/.exec(first)?.[1] ?? at + 1),
  )
  const keysOf = groupBy(keys, ({ number }) => String(number))
  const asking = groupBy(numbers, String)
  // Numbers restart in each section. Then keys are matched by order, or not at all.
  const isInOrder =
    keys.length === keyless.length && keys.every(({ number }, at) => number === numbers[at])
  for (const [at, one] of keyless.entries()) {
    const number = String(numbers[at])
    const named = keysOf.get(number) ?? []
    const isAlone = named.length === 1 && asking.get(number)?.length === 1
    one.answer = (isInOrder ? keys[at] : isAlone ? named[0] : undefined)?.key ?? null
  }
  return { questions: drafts.map(questionOf) }
}

const MARKED = /\s*(?:\*|✓|✔|\((?:correct|right)(?: answer)?\))$/i

/**
 * A lowercase letter, or one without a space after it, must be the next letter in order, since a stem can start like
 * that ('U.S. bonds', 'i.e.').
 */
function optionIn(line: string, draft: Draft | null) {
  const [, star, sign, blank, text = ''] =
    /^(\*)?\s*\(?([A-Za-z])[.)](\s+|$)?(.*)$/.exec(line) ?? []
  if (sign === undefined) return null
  const letter = sign.toUpperCase()
  const isNext = draft && draft.stem.length > 0 && letter === LETTERS[draft.options.length]
  const isClear = sign === letter && (blank || text === '')
  if (!isClear && !isNext) return null
  return {
    letter,
    text: text.replace(MARKED, ''),
    isStarred: Boolean(star) || MARKED.test(text),
  }
}

function questionOf({
  line,
  stem,
  letters,
  options,
  starred,
  category,
  ...draft
}: Draft): FoundQuestion {
  const { answer } = draft
  if (options.length === 0 && ANSWER.test(stem[0] ?? '')) {
    return flawedQuestion(`line ${line}`, 'unreadable', stem[0])
  }
  const keys = answer === null ? starred : [...starred, ...keysIn(answer, letters, options)]
  let flaw: LeftOutReason | null = null
  if (answer === null && starred.length === 0) flaw = options.length > 0 ? 'no_key' : 'no_question'
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
    explanation: plainText(draft.explanation),
    category,
    flaw,
  }
}

/** Finds the option letters in an answer: 'B', 'a, c', 'B) Bond prices', or an option's text. */
function keysIn(answer: string, letters: string, options: readonly string[]): string[] {
  const same = options.findIndex((option) => option.toLowerCase() === answer.toLowerCase())
  if (same >= 0) return [letters[same] ?? '']
  const [, letter] = /^\(?([a-z])[).:]+\s+\S/i.exec(answer) ?? []
  return letter
    ? [letter.toUpperCase()]
    : answer
        .trim()
        .toUpperCase()
        .replace(/[().]/g, '')
        .split(/[\s,;]+/)
}

// Reads GIFT: '::title:: stem {=right #why ~wrong #why ####explanation}', with empty lines between questions. A
// backslash escapes special characters.

/** Escaped characters are replaced by these while a text is parsed; files can't contain them. */
const ESCAPED = '\\:#={}~n'
const HIDDEN = /[\ue000-\ue007]/g

/** Checks whether a text looks like GIFT: a title, a category, or braces that start like answers. */
export const looksLikeGift = (text: string): boolean =>
  /^\s*(::|\$CATEGORY:)/m.test(text) || /(^|[^\\])\{\s*([=~#}]|(T|F|TRUE|FALSE)\s*[}#])/.test(text)

interface Block {
  line: number
  text: string
  category: string
}

export const readGift = (text: string): Found => ({ questions: splitBlocks(text).map(readBlock) })

/** Empty lines separate questions, except inside an answer. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let block: Block | null = null
  let category = ''
  let isOpen = false
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const [, named] = /^\s*\$CATEGORY:(.*)$/.exec(line) ?? []
    const isEmpty = line.trim() === ''
    // A category applies to the following questions. It ends the previous one, even without an empty line.
    if (!isOpen && (isEmpty || named !== undefined)) block = null
    if (named !== undefined) category = categoryOf(named)
    if (named !== undefined || (isEmpty && !isOpen) || /^\s*\/\//.test(line)) continue
    // Unescaped braces in order.
    const braces = line.replace(/\\./g, '').replace(/[^{}]/g, '')
    // A new question starts while the previous one is open, so that one's brace is missing.
    if (isOpen && (/^\s*::/.test(line) || braces.startsWith('{'))) {
      block = null
      isOpen = false
    }
    if (block === null) {
      block = { line: index + 1, text: line, category }
      blocks.push(block)
      if (blocks.length > LIMITS.questions) throw new QuestionFileError('too_many_questions')
    } else block.text += `\n${line}`
    if (braces !== '') isOpen = braces.endsWith('{')
  }
  return blocks
}

function readBlock({ line, text, category }: Block): FoundQuestion {
  const place = `line ${line}`
  if (text.search(HIDDEN) !== -1) return flawedQuestion(place, 'hidden_characters')
  const rest = text
    .replace(/\\([\\:#={}~n])/g, (_, sign: string) =>
      String.fromCharCode(0xe000 + ESCAPED.indexOf(sign)),
    )
    .trim()
    .replace(/^::[\s\S]*?::/, '')
  const from = rest.indexOf('{')
  const isUnclosed = from !== -1 && !rest.includes('}')
  // Text after a brace that is never closed is still read, so it can be fixed on the page.
  const to = isUnclosed ? rest.length : rest.lastIndexOf('}')
  if (from === -1 && to === -1) return flawedQuestion(place, 'no_question', textIn(rest).text)
  const inner = rest.slice(from + 1, to)
  if (from === -1 || to < from || /[{}]/.test(inner)) {
    // In some dialects several gaps make a cloze text. Otherwise a brace is missing.
    return flawedQuestion(place, 'unreadable', textIn(rest.slice(0, 200)).text)
  }
  const behind = rest.slice(to + 1).trim()
  const stem = textIn(behind === '' ? rest.slice(0, from) : `${rest.slice(0, from)}_____ ${behind}`)
  const [answers = '', ...general] = inner.trim().split('####')
  const explanation = textIn(general.join(' '), stem.said)
  const { options, flaw } = readAnswers(answers.trim(), stem.said)
  return { place, stem, options, explanation, category, flaw: isUnclosed ? 'unreadable' : flaw }
}

/** @param said the stem's format, which is the default for its answers */
function readAnswers(answers: string, said: TextFormat): Pick<FoundQuestion, 'options' | 'flaw'> {
  if (!answers.includes('~')) {
    const isOtherKind = /^$|^#|^(T|F|TRUE|FALSE)(#|$)|=/i.test(answers)
    return { options: [], flaw: isOtherKind ? 'other_kind' : 'unreadable' }
  }
  const parts = (answers.match(/[=~][^=~]*/g) ?? []).map((part) => {
    const [, sign, weight, rest = ''] = /^([=~])\s*(?:%(-?[\d.]+)%)?([\s\S]*)$/.exec(part) ?? []
    const credit = weight === undefined ? (sign === '=' ? 100 : 0) : Number(weight)
    const [written = '', ...why] = rest.split('#')
    return { text: textIn(written, said), credit, feedback: textIn(why.join('#'), said) }
  })
  const options = parts.filter(({ credit }) => Number.isFinite(credit))
  const isWhole = /^[=~]/.test(answers) && options.length === parts.length
  return { options, flaw: isWhole ? null : 'unreadable' }
}

type TextFormat = 'html' | 'plain' | null

/**
 * Reads a text with its format in brackets before it.
 * @param before the stem's format, used as the default
 */
function textIn(written: string, before: TextFormat = null): PlainText & { said: TextFormat } {
  const [marker = '', format = ''] = /^\s*\[(html|moodle|plain|markdown)\]/i.exec(written) ?? []
  const shown = written
    .slice(marker.length)
    .replace(HIDDEN, (one) => ESCAPED[one.charCodeAt(0) - 0xe000]?.replace('n', '\n') ?? '')
  const own = /html/i.test(format) ? 'html' : /plain|markdown/i.test(format) ? 'plain' : null
  const said = marker === '' ? before : own
  if (said === null) return { ...textOfAny(shown, false), said }
  return { ...(said === 'html' ? textOfHtml(shown) : plainText(shown)), said }
}

/** Writes a question in GIFT. Each text is declared as plain, so '%50%' and '[html]' have no special meaning. */
export function writeGift(question: WrittenQuestion, number: number): string {
  const plain = (text: string) =>
    `[plain]${text.replace(/[\\:#={}~]/g, (sign) => `\\${sign}`).replaceAll('\n', '\\n')}`
  const answers = OPTION_LETTERS.map(
    (letter) => `  ${letter === question.answer ? '=' : '~'}${plain(question.options[letter])}`,
  )
  if (question.explanation) answers.push(`  ####${plain(question.explanation)}`)
  return `::${number}::${plain(question.question)} {\n${answers.join('\n')}\n}\n`
}
