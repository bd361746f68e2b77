import type { LeftOutReason } from '../../../question-files.ts'
import { textOfElements } from '../files/plain-text.ts'
import { allOf, childOf, childrenOf, type Element, rawText } from '../files/xml.ts'
import type { FoundQuestion } from '../question.ts'

/*
 * QTI 2.0 to 2.2: one <assessmentItem> a file.
 */

const ANY_INTERACTION = /Interaction$/
const isFeedback = ({ name }: Element) => /^feedback/.test(name)

/** The question of a QTI 2 item. */
export function readQtiItem(item: Element, place: string): FoundQuestion {
  const body = childOf(item, 'itemBody')
  const interactions = body ? interactionsIn(body) : []
  const [interaction] = interactions
  const stem = textOfElements(
    [...(body?.children ?? []), ...childrenOf(interaction, 'prompt')],
    (one) => ANY_INTERACTION.test(one.name) || one.name === 'rubricBlock' || isFeedback(one),
  )
  const response = childrenOf(item, 'responseDeclaration').find(
    ({ attributes }) => attributes.identifier === interaction?.attributes.responseIdentifier,
  )
  const credits = creditsOf(response)
  const modal = (ident: string) =>
    childrenOf(item, 'modalFeedback').filter((one) => one.attributes.identifier === ident)
  return {
    place,
    stem,
    options: (interaction ? allOf(interaction, 'simpleChoice') : []).map((choice) => {
      const ident = choice.attributes.identifier ?? ''
      const inline = allOf(choice, 'feedbackInline', 'feedbackBlock')
      return {
        text: textOfElements(choice.children, isFeedback),
        credit: credits.get(ident) ?? 0,
        feedback: textOfElements([...inline, ...modal(ident)]),
      }
    }),
    explanation: textOfElements(modal('EXPLANATION')),
    flaw: flawOf(item, interactions, response),
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
  // Gaps in a text; numbers that are drawn anew for everybody; another way to answer.
  if (interactions.length > 1 || childOf(item, 'templateDeclaration')) return 'other_kind'
  if (interaction.name !== 'choiceInteraction') return 'other_kind'
  const most = interaction.attributes.maxChoices ?? '1'
  const cardinality = response?.attributes.cardinality ?? 'single'
  return cardinality !== 'single' || most !== '1' ? 'several_keys' : null
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
