import type { LeftOutReason } from '../../../questions/question-files.ts'
import { type PlainText, textOfElements } from '../files/plain-text.ts'
import { allOf, childOf, childrenOf, type Element, rawText } from '../files/xml.ts'
import type { FoundQuestion } from '../question.ts'

/*
 * QTI 2.1, 2.2 and 3.0: one <assessmentItem> a file. Version 3 calls the same things otherwise
 * (<qti-simple-choice> for <simpleChoice>), so its names are made those of version 2.
 */

/** Why a question with this way to answer is left out. */
const INTERACTIONS: Record<string, LeftOutReason | null> = {
  choiceInteraction: null,
  textEntryInteraction: 'short_answer',
  extendedTextInteraction: 'essay',
  uploadInteraction: 'essay',
  matchInteraction: 'matching',
  associateInteraction: 'matching',
  orderInteraction: 'matching',
  gapMatchInteraction: 'cloze',
  inlineChoiceInteraction: 'cloze',
  hottextInteraction: 'other_kind',
  sliderInteraction: 'numerical',
}
const ANY_INTERACTION = /Interaction$/

/** The question of a QTI 2 or 3 item. */
export function readQtiItem(root: Element, place: string): FoundQuestion {
  const item = root.name.startsWith('qti-') ? inVersion2(root) : root
  const body = childOf(item, 'itemBody')
  const interactions = body ? interactionsIn(body) : []
  const [interaction] = interactions
  const stem = textOfElements(
    [...(body?.children ?? []), ...childrenOf(interaction, 'prompt')],
    ({ name }) => ANY_INTERACTION.test(name) || name === 'rubricBlock' || /^feedback/.test(name),
  )
  const response = childrenOf(item, 'responseDeclaration').find(
    ({ attributes }) => attributes.identifier === interaction?.attributes.responseIdentifier,
  )
  const credits = creditsOf(response)
  const modal = childrenOf(item, 'modalFeedback')
  const texts: PlainText[] = [stem]
  const options = (interaction ? allOf(interaction, 'simpleChoice') : []).map((choice) => {
    const ident = choice.attributes.identifier ?? ''
    const text = textOfElements(choice.children, ({ name }) => /^feedback/.test(name))
    const feedback = textOfElements([
      ...allOf(choice, 'feedbackInline', 'feedbackBlock'),
      ...modal.filter(({ attributes }) => attributes.identifier === ident),
    ])
    texts.push(text, feedback)
    return { text: text.text, credit: credits.get(ident) ?? 0, feedback: feedback.text }
  })
  const general = modal.filter(({ attributes }) => attributes.identifier === 'EXPLANATION')
  const explanation = textOfElements(general)
  texts.push(explanation)
  return {
    place,
    stem: stem.text,
    options,
    explanation: explanation.text,
    category: '',
    flaw:
      flawOf(item, interactions, response) ?? (texts.some((one) => one.hasMedia) ? 'media' : null),
    notices: texts.flatMap(({ notices }) => notices),
  }
}

const interactionsIn = (element: Element): Element[] =>
  element.children.flatMap((child) => {
    if (typeof child === 'string') return []
    return ANY_INTERACTION.test(child.name) ? [child] : interactionsIn(child)
  })

function flawOf(
  item: Element,
  interactions: readonly Element[],
  response: Element | undefined,
): LeftOutReason | null {
  const [interaction] = interactions
  if (!childOf(item, 'itemBody')) return 'unreadable'
  if (!interaction) return 'no_question'
  if (interactions.length > 1) return 'cloze'
  // Numbers that are drawn anew for everybody.
  if (childOf(item, 'templateDeclaration')) return 'other_kind'
  const flaw = INTERACTIONS[interaction.name]
  if (flaw === undefined) return 'other_kind'
  if (flaw) return flaw
  const most = interaction.attributes.maxChoices
  const cardinality = response?.attributes.cardinality ?? 'single'
  return cardinality !== 'single' || (most !== undefined && most !== '1') ? 'several_keys' : null
}

/** What each option gives, in percent: by the right response, else by the points of its mapping. */
function creditsOf(response: Element | undefined): Map<string, number> {
  const mapped = childrenOf(childOf(response, 'mapping'), 'mapEntry').map(
    ({ attributes }) => [attributes.mapKey ?? '', Number(attributes.mappedValue ?? 0)] as const,
  )
  const highest = Math.max(0, ...mapped.map(([, points]) => points))
  const credits = new Map(
    mapped.map(([ident, points]) => [ident, highest > 0 ? (points / highest) * 100 : 0]),
  )
  for (const value of childrenOf(childOf(response, 'correctResponse'), 'value')) {
    credits.set(rawText(value).trim(), 100)
  }
  return credits
}

/** An element of version 3 with the names of version 2: qti-simple-choice, max-choices. */
function inVersion2(element: Element): Element {
  const isOurs = element.name.startsWith('qti-')
  return {
    ...element,
    name: isOurs ? camelCase(element.name.slice(4)) : element.name,
    attributes: isOurs
      ? Object.fromEntries(
          Object.entries(element.attributes).map(([name, value]) => [camelCase(name), value]),
        )
      : element.attributes,
    children: element.children.map((child) =>
      typeof child === 'string' ? child : inVersion2(child),
    ),
  }
}

const camelCase = (name: string) =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
