import { OPTION_LETTERS } from '../../../../../platform/option-letters.ts'
import type { WrittenQuestion } from '../../../written-question.ts'
import { looksLikeHtml, type PlainText, plainText, textOfHtml } from '../files/plain-text.ts'
import { categoryOf, type Found, type FoundQuestion, flawedQuestion } from '../question.ts'

/*
 * GIFT: '::title:: stem {=right #why ~wrong #why ####explanation}', questions apart by an empty line. What
 * has a meaning is written behind a backslash to have none.
 */

/** Escaped signs while a text is taken apart; no file holds these. */
const HIDDEN = '\\:#={}~n'
const BASE = 0xe000
const SHOWN = '\\:#={}~\n'
const hide = (sign: string) => String.fromCharCode(BASE + HIDDEN.indexOf(sign))

/** Whether a text is likely to be GIFT: a title, a category, or braces that begin as answers do. */
export function looksLikeGift(text: string): boolean {
  return (
    /^\s*(::|\$CATEGORY:)/m.test(text) ||
    /(^|[^\\])\{\s*([=~#}]|(T|F|TRUE|FALSE)\s*[}#])/.test(text)
  )
}

interface Block {
  line: number
  text: string
  category: string
}

/** The questions of a GIFT file, each read by itself. */
export function readGift(text: string): Found {
  return { questions: splitBlocks(text).map(readBlock) }
}

/** Questions stand apart by empty lines; an empty line in an answer does not end one. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let block: Block | null = null
  let category = ''
  let isOpen = false
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const [, named] = /^\s*\$CATEGORY:(.*)$/.exec(line) ?? []
    if (named !== undefined) {
      // Of the questions that follow: the one before ends here, with an empty line or without.
      if (!isOpen) block = null
      category = categoryOf(named)
      continue
    }
    if (/^\s*\/\//.test(line)) continue
    if (line.trim() === '' && !isOpen) {
      block = null
      continue
    }
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

/** Characters that stand for escaped ones must not come from outside. */
const PRIVATE = /[\ue000-\ue008]/

function readBlock({ line, text, category }: Block): FoundQuestion {
  const place = `line ${line}`
  if (PRIVATE.test(text)) return flawedQuestion(place, 'hidden_characters')
  const whole = text.replace(/\\([\\:#={}~n])/g, (_, sign: string) => hide(sign)).trim()
  const rest = whole.replace(/^::[\s\S]*?::/, '')
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

/**
 * A text with its format in brackets before it, or as HTML where it looks so.
 * @param before what the stem said, which holds for what says nothing
 */
function textIn(written: string, before: TextFormat = null): PlainText & { said: TextFormat } {
  const [marker = '', format = ''] = /^\s*\[(html|moodle|plain|markdown)\]/i.exec(written) ?? []
  const shown = written
    .slice(marker.length)
    .replace(/[\ue000-\ue008]/g, (one) => SHOWN[one.charCodeAt(0) - BASE] ?? '')
  const own = /html/i.test(format) ? 'html' : /plain|markdown/i.test(format) ? 'plain' : null
  const said = marker === '' ? before : own
  const isHtml = said === 'html' || (said === null && looksLikeHtml(shown))
  return { ...(isHtml ? textOfHtml(shown) : plainText(shown)), said }
}

/** A question in GIFT. */
export function writeGift(
  { question, options, answer, explanation }: WrittenQuestion,
  number: number,
): string {
  const answers = OPTION_LETTERS.map(
    (letter) => `  ${letter === answer ? '=' : '~'}${plain(options[letter])}`,
  )
  if (explanation) answers.push(`  ####${plain(explanation)}`)
  return `::${number}::[plain]${escapeGift(question)} {\n${answers.join('\n')}\n}\n`
}

/** Says of each text that it is plain: one that begins with '%50%' or '[html]' is no more than that. */
const plain = (text: string) => `[plain]${escapeGift(text)}`

const escapeGift = (text: string) =>
  text.replace(/[\\:#={}~]/g, (sign) => `\\${sign}`).replaceAll('\n', '\\n')
