import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import type { LeftOutReason } from '../../../questions/question-files.ts'
import { type PlainText, plainText, textOfHtml } from '../files/plain-text.ts'
import { allOf, childOf, childrenOf, type Element, parseXml, rawText } from '../files/xml.ts'
import { type Found, type FoundQuestion, type Question, requireFewQuestions } from '../question.ts'
import { categoryOf } from './category.ts'
import { escapeXml } from './escape-xml.ts'

/*
 * Moodle XML: <quiz> with a <question type="…"> each, texts as HTML in CDATA.
 */

/** Why each kind is left out; null: it has options of which some are right. */
const KINDS: Record<string, LeftOutReason | null> = {
  multichoice: null,
  truefalse: 'true_false',
  shortanswer: 'short_answer',
  numerical: 'numerical',
  calculated: 'numerical',
  calculatedsimple: 'numerical',
  matching: 'matching',
  ddmatch: 'matching',
  randomsamatch: 'matching',
  cloze: 'cloze',
  multianswer: 'cloze',
  gapselect: 'cloze',
  ddwtos: 'cloze',
  essay: 'essay',
  description: 'no_question',
}

/** The questions of a Moodle XML file. Categories are no questions. */
export function readMoodleXml(text: string): Found {
  const { root, isBroken } = parseXml(text)
  const questions: FoundQuestion[] = []
  let category = ''
  for (const one of childrenOf(root, 'question')) {
    if (one.attributes.type === 'category') {
      category = categoryOf(rawText(childOf(childOf(one, 'category'), 'text')))
      continue
    }
    requireFewQuestions(questions.length + 1)
    questions.push(readQuestion(one, category))
  }
  return { questions, notices: isBroken ? ['broken_off'] : [] }
}

function readQuestion(question: Element, category: string): FoundQuestion {
  const kind = KINDS[question.attributes.type ?? '']
  const stem = textOf(childOf(question, 'questiontext'))
  const explanation = textOf(childOf(question, 'generalfeedback'))
  const texts = [stem, explanation]
  const options = childrenOf(question, 'answer').map((answer) => {
    // Answers of older files say nothing of their format, and are HTML as their question is.
    const text = textOf(answer, childOf(question, 'questiontext')?.attributes.format)
    const feedback = textOf(childOf(answer, 'feedback'))
    texts.push(text, feedback)
    return {
      text: text.text,
      credit: Number(answer.attributes.fraction ?? 0),
      feedback: feedback.text,
    }
  })
  const hasFiles =
    allOf(question, 'file').length > 0 || rawText(childOf(question, 'image_base64')).trim() !== ''
  const hasMedia = hasFiles || texts.some((one) => one.hasMedia)
  return {
    place: `line ${question.line}`,
    stem: stem.text,
    options,
    explanation: explanation.text,
    category,
    flaw: kind === undefined ? 'other_kind' : (kind ?? (hasMedia ? 'media' : null)),
    notices: texts.flatMap(({ notices }) => notices),
  }
}

/** The <text> of an element, by its format: HTML unless it says otherwise. */
function textOf(element: Element | null, formatAround = 'html'): PlainText {
  const written = rawText(childOf(element, 'text'))
  const format = element?.attributes.format ?? formatAround
  return format === 'plain_text' || format === 'markdown' ? plainText(written) : textOfHtml(written)
}

/** Questions as one Moodle XML file. */
export function writeMoodleXml(questions: readonly Question[]): string {
  const written = questions.map((one, index) => writeQuestion(one, index + 1))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${written.join('')}</quiz>\n`
}

function writeQuestion({ question, options, answer, explanation, why }: Question, number: number) {
  const answers = OPTION_LETTERS.map(
    (letter) => `    <answer fraction="${letter === answer ? 100 : 0}" format="plain_text">
      <text>${escapeXml(options[letter])}</text>
      <feedback format="plain_text"><text>${escapeXml(why[letter] ?? '')}</text></feedback>
    </answer>
`,
  )
  return `  <question type="multichoice">
    <name><text>${number}</text></name>
    <questiontext format="plain_text"><text>${escapeXml(question)}</text></questiontext>
    <generalfeedback format="plain_text"><text>${escapeXml(explanation)}</text></generalfeedback>
    <defaultgrade>1</defaultgrade>
    <penalty>0</penalty>
    <hidden>0</hidden>
    <single>true</single>
    <shuffleanswers>false</shuffleanswers>
    <answernumbering>ABCD</answernumbering>
${answers.join('')}  </question>
`
}
