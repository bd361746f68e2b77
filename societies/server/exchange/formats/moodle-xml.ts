import type { LeftOutReason } from '../../../questions/question-files.ts'
import { type PlainText, plainText, textOfHtml } from '../files/plain-text.ts'
import { allOf, childOf, childrenOf, type Element, parseXml, rawText } from '../files/xml.ts'
import { categoryOf, type Found, type FoundQuestion, requireFewQuestions } from '../question.ts'

/*
 * Moodle XML: <quiz> with a <question type="…"> each, texts as HTML in CDATA.
 */

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
    flaw: flawOf(question.attributes.type) ?? (hasMedia ? 'media' : null),
    notices: texts.flatMap(({ notices }) => notices),
  }
}

function flawOf(kind: string | undefined): LeftOutReason | null {
  if (kind === 'multichoice') return null
  return kind === 'description' ? 'no_question' : 'other_kind'
}

/** The <text> of an element, by its format: HTML unless it says otherwise. */
function textOf(element: Element | null, formatAround = 'html'): PlainText {
  const written = rawText(childOf(element, 'text'))
  const format = element?.attributes.format ?? formatAround
  return format === 'plain_text' || format === 'markdown' ? plainText(written) : textOfHtml(written)
}
