import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import type { WrittenQuestion } from '../../question-content.ts'
import type { LeftOutReason } from '../../question-files.ts'
import { type PlainText, plainText, textOfHtml } from './plain-text.ts'
import { categoryOf, type Found, type FoundQuestion, flawedQuestion } from './review.ts'

// Aiken: a stem, options behind 'A.' or 'A)', and 'ANSWER: B'. It has no escapes and no feedback.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

interface Draft {
  line: number
  stem: string[]
  letters: string
  options: string[]
}

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

// GIFT: '::title:: stem {=right #why ~wrong #why ####explanation}', questions apart by an empty line. What has a
// meaning is written behind a backslash to have none.

/** Escaped signs are other characters while a text is taken apart; no file may hold these. */
const ESCAPED = '\\:#={}~n'
const HIDDEN = /[\ue000-\ue007]/g

/** Whether a text is likely to be GIFT: a title, a category, or braces that begin as answers do. */
export const looksLikeGift = (text: string): boolean =>
  /^\s*(::|\$CATEGORY:)/m.test(text) || /(^|[^\\])\{\s*([=~#}]|(T|F|TRUE|FALSE)\s*[}#])/.test(text)

interface Block {
  line: number
  text: string
  category: string
}

export const readGift = (text: string): Found => ({ questions: splitBlocks(text).map(readBlock) })

/** Questions stand apart by empty lines; an empty line in an answer does not end one. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let block: Block | null = null
  let category = ''
  let isOpen = false
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const [, named] = /^\s*\$CATEGORY:(.*)$/.exec(line) ?? []
    const isEmpty = line.trim() === ''
    // A category is of the questions that follow: the one before ends here, with an empty line or without.
    if (!isOpen && (isEmpty || named !== undefined)) block = null
    if (named !== undefined) category = categoryOf(named)
    if (named !== undefined || (isEmpty && !isOpen) || /^\s*\/\//.test(line)) continue
    // The braces that have a meaning, in their order.
    const braces = line.replace(/\\./g, '').replace(/[^{}]/g, '')
    // A question that begins while the one before is open: that one's brace is missing.
    if (isOpen && (/^\s*::/.test(line) || braces.startsWith('{'))) {
      block = null
      isOpen = false
    }
    if (block === null) {
      block = { line: index + 1, text: line, category }
      blocks.push(block)
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
  // What stands behind a brace that is never closed is read all the same: it can be fixed on the page.
  const to = isUnclosed ? rest.length : rest.lastIndexOf('}')
  if (from === -1 && to === -1) return flawedQuestion(place, 'no_question', textIn(rest).text)
  const inner = rest.slice(from + 1, to)
  if (from === -1 || to < from || /[{}]/.test(inner)) {
    // Several gaps are a cloze text in some dialects; otherwise a brace is missing.
    return flawedQuestion(place, 'unreadable', textIn(rest.slice(0, 200)).text)
  }
  const behind = rest.slice(to + 1).trim()
  const stem = textIn(behind === '' ? rest.slice(0, from) : `${rest.slice(0, from)}_____ ${behind}`)
  const [answers = '', ...general] = inner.trim().split('####')
  const explanation = textIn(general.join(' '), stem.said)
  const { options, flaw } = readAnswers(answers.trim(), stem.said)
  return { place, stem, options, explanation, category, flaw: isUnclosed ? 'unreadable' : flaw }
}

/** @param said the format of the stem, which holds for what says nothing of its own */
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

/** Whether somebody wrote HTML into a text that says nothing of its format. */
const HTML =
  /<\/?(a|b|br|code|div|em|font|h[1-6]|i|img|li|ol|p|pre|script|span|strong|sub|sup|table|td|tr|u|ul)(\s[^<>]*)?\/?>/i

/** A text with its format in brackets before it. @param before the stem's, for what says nothing */
function textIn(written: string, before: TextFormat = null): PlainText & { said: TextFormat } {
  const [marker = '', format = ''] = /^\s*\[(html|moodle|plain|markdown)\]/i.exec(written) ?? []
  const shown = written
    .slice(marker.length)
    .replace(HIDDEN, (one) => ESCAPED[one.charCodeAt(0) - 0xe000]?.replace('n', '\n') ?? '')
  const own = /html/i.test(format) ? 'html' : /plain|markdown/i.test(format) ? 'plain' : null
  const said = marker === '' ? before : own
  const isHtml = said === 'html' || (said === null && HTML.test(shown))
  return { ...(isHtml ? textOfHtml(shown) : plainText(shown)), said }
}

/** A question in GIFT. It says of each text that it is plain: '%50%' and '[html]' are no more than that. */
export function writeGift(question: WrittenQuestion, number: number): string {
  const plain = (text: string) =>
    `[plain]${text.replace(/[\\:#={}~]/g, (sign) => `\\${sign}`).replaceAll('\n', '\\n')}`
  const answers = OPTION_LETTERS.map(
    (letter) => `  ${letter === question.answer ? '=' : '~'}${plain(question.options[letter])}`,
  )
  if (question.explanation) answers.push(`  ####${plain(question.explanation)}`)
  return `::${number}::${plain(question.question)} {\n${answers.join('\n')}\n}\n`
}
