import type { LeftOutReason } from '../../../question-files.ts'
import { type PlainText, plainText, textOfHtml } from '../files/plain-text.ts'
import { allOf, childOf, childrenOf, type Element, parseXml, rawText } from '../files/xml.ts'
import { categoryOf, type Found, type FoundQuestion } from '../question.ts'

/*
 * Moodle XML: <quiz> with a <question type="…"> each, texts as HTML in CDATA.
 */

/** The questions of a Moodle XML file. A category is none: it holds for those that follow. */
export function readMoodleXml(text: string): Found {
  const { root, isBroken } = parseXml(text)
  const questions: FoundQuestion[] = []
  let category = ''
  for (const one of childrenOf(root, 'question')) {
    if (one.attributes.type === 'category') {
      category = categoryOf(rawText(childOf(childOf(one, 'category'), 'text')))
    } else questions.push({ ...readQuestion(one), category })
  }
  return { questions, notices: isBroken ? ['broken_off'] : [] }
}

function readQuestion(question: Element): FoundQuestion {
  const stem = childOf(question, 'questiontext')
  return {
    place: `line ${question.line}`,
    stem: textOf(stem),
    options: childrenOf(question, 'answer').map((answer) => ({
      // Answers of older files say nothing of their format, and are HTML as their question is.
      text: textOf(answer, stem?.attributes.format),
      credit: Number(answer.attributes.fraction ?? 0),
      feedback: textOf(childOf(answer, 'feedback')),
    })),
    explanation: textOf(childOf(question, 'generalfeedback')),
    flaw: flawOf(question),
  }
}

function flawOf(question: Element): LeftOutReason | null {
  const kind = question.attributes.type
  if (kind !== 'multichoice') return kind === 'description' ? 'no_question' : 'other_kind'
  const hasFiles =
    allOf(question, 'file').length > 0 || rawText(childOf(question, 'image_base64')).trim() !== ''
  return hasFiles ? 'media' : null
}

/** The <text> of an element, by its format: HTML unless it says otherwise. */
function textOf(element: Element | null, formatAround = 'html'): PlainText {
  const written = rawText(childOf(element, 'text'))
  const format = element?.attributes.format ?? formatAround
  return format === 'plain_text' || format === 'markdown' ? plainText(written) : textOfHtml(written)
}
