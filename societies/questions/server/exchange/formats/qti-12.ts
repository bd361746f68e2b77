import type { LeftOutReason } from '../../../question-files.ts'
import {
  joinTexts,
  type PlainText,
  plainText,
  textOfElements,
  textOfHtml,
} from '../files/plain-text.ts'
import { allOf, childOf, childrenOf, type Element, rawText } from '../files/xml.ts'
import type { FoundQuestion } from '../question.ts'

/*
 * QTI 1.2, as Canvas, Blackboard and Respondus write it: <item> with a <presentation>, labels of a
 * <response_lid>, and <respcondition>s that give points.
 */

/** Where writers say of what kind a question is. */
const KIND_FIELDS = ['question_type', 'cc_profile', 'qmd_itemtype', 'bbmd_questiontype']

/** The questions of a QTI 1.2 document. */
export function readQti12(root: Element, placeOf: (line: number) => string): FoundQuestion[] {
  return allOf(root, 'item').map((item) => readItem(item, placeOf(item.line)))
}

function readItem(item: Element, place: string): FoundQuestion {
  const presentation = childOf(item, 'presentation')
  const choices = presentation ? allOf(presentation, 'response_lid') : []
  const feedbacks = new Map(
    childrenOf(item, 'itemfeedback').map((one) => [one.attributes.ident ?? '', materialOf(one)]),
  )
  const conditions = allOf(item, 'respcondition')
  const highest = Math.max(0, ...conditions.map(pointsOf))
  return {
    place,
    stem: presentation ? materialOf(presentation) : plainText(''),
    options: choices
      .flatMap((choice) => allOf(choice, 'response_label'))
      .map((label) => {
        const ident = label.attributes.ident ?? ''
        const own = conditions.filter((condition) => isAbout(condition, ident))
        const points = Math.max(0, ...own.map(pointsOf))
        const feedback = joinTexts(linksOf(own).flatMap((link) => feedbacks.get(link) ?? []))
        return {
          text: materialOf(label),
          credit: highest > 0 ? (points / highest) * 100 : 0,
          feedback: feedback.text ? feedback : feedbacks.get(`${ident}_fb`),
        }
      }),
    explanation: feedbacks.get('general_fb'),
    flaw: flawOf(item, presentation, choices, conditions),
  }
}

function flawOf(
  item: Element,
  presentation: Element | null,
  [choice, ...others]: readonly Element[],
  conditions: readonly Element[],
): LeftOutReason | null {
  const kind = kindOf(item)
  if (/multiple[ _]answers|multiple_response/.test(kind)) return 'several_keys'
  if (/text_only/.test(kind)) return 'no_question'
  if (OTHER_KINDS.test(kind)) return 'other_kind'
  if (!presentation) return 'unreadable'
  const typed = ['response_num', 'response_grp', 'response_str', 'render_fib']
  if (others.length > 0 || allOf(presentation, ...typed).length > 0) return 'other_kind'
  if (!choice) return 'no_question'
  // What has to be chosen together.
  const isJoined = conditions.some(
    (one) =>
      pointsOf(one) > 0 && allOf(one, 'varequal').length > 1 && allOf(one, 'or').length === 0,
  )
  const cardinality = choice.attributes.rcardinality ?? 'single'
  return isJoined || cardinality.toLowerCase() !== 'single' ? 'several_keys' : null
}

const OTHER_KINDS =
  /true[ _/]*false|essay|file_upload|matching|ordering|multiple_(blanks|dropdowns)|fill[ _-]in|short_answer|fib|numeric|calculated/

function kindOf(item: Element): string {
  const metadata = childOf(item, 'itemmetadata')
  if (!metadata) return ''
  const fields = allOf(metadata, 'qtimetadatafield')
    .filter((field) => KIND_FIELDS.includes(rawText(childOf(field, 'fieldlabel')).trim()))
    .map((field) => rawText(childOf(field, 'fieldentry')))
  const named = allOf(metadata, ...KIND_FIELDS).map(rawText)
  return [...fields, ...named].join(' ').toLowerCase()
}

/** The points that a condition gives; where it names the highest, 100. */
function pointsOf(condition: Element): number {
  const points = childrenOf(condition, 'setvar').map((setvar) => {
    const written = rawText(setvar).trim()
    return /max$/i.test(written) ? 100 : Number(written) || 0
  })
  return Math.max(0, ...points)
}

/** Whether choosing an option fulfils a condition: it is named, and not in a 'not'. */
function isAbout(condition: Element, ident: string): boolean {
  const names = (element: Element): boolean =>
    element.children.some(
      (child) =>
        typeof child !== 'string' &&
        (child.name === 'varequal'
          ? rawText(child).trim() === ident
          : child.name !== 'not' && names(child)),
    )
  return childrenOf(condition, 'conditionvar').some(names)
}

/** The feedback that conditions show. What holds for every right or wrong answer says nothing about one. */
const linksOf = (conditions: readonly Element[]): string[] =>
  conditions
    .flatMap((one) => childrenOf(one, 'displayfeedback'))
    .map(({ attributes }) => attributes.linkrefid ?? '')
    .filter((link) => !/^(general|correct|incorrect|general_.*)(_fb)?$/i.test(link))

/** The text of the material below an element, without that of its answers. */
function materialOf(element: Element): PlainText {
  const partsOf = (below: Element): PlainText[] =>
    below.children.flatMap((child) => {
      if (typeof child === 'string') return []
      if (/^(response_(lid|str|num|grp)|render_\w+)$/.test(child.name)) return []
      if (child.name === 'mattext' || child.name === 'mat_formattedtext') return textOf(child)
      const isMedia = /^mat(image|audio|video|applet|application)$/.test(child.name)
      return isMedia ? { text: '', lost: ['media'] } : partsOf(child)
    })
  return joinTexts(partsOf(element))
}

function textOf(element: Element): PlainText {
  // HTML as elements, where somebody did not escape it.
  if (element.children.some((child) => typeof child !== 'string')) {
    return textOfElements(element.children)
  }
  const type = element.attributes.texttype ?? element.attributes.type ?? ''
  const written = rawText(element)
  return /html|smart_text/i.test(type) ? textOfHtml(written) : plainText(written)
}
