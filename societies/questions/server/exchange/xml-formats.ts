import type { LeftOutReason } from '../../question-files.ts'
import { decodeText, QuestionFileError, type ZipFiles } from './bytes.ts'
import { joinTexts, type PlainText, plainText, textOfElements, textOfHtml } from './plain-text.ts'
import { categoryOf, type Found, type FoundQuestion, flawedQuestion } from './review.ts'
import { allOf, childOf, childrenOf, type Element, parseXml, rawText } from './xml.ts'

/**
 * Reads Moodle XML: a <quiz> with <question type="…"> elements and HTML in CDATA. A category applies to the following
 * questions.
 */
export function readMoodleXml(text: string): Found {
  const { root, isBroken } = parseXml(text)
  const questions: FoundQuestion[] = []
  let category = ''
  for (const one of childrenOf(root, 'question')) {
    if (one.attributes.type === 'category') {
      category = categoryOf(rawText(childOf(childOf(one, 'category'), 'text')))
      continue
    }
    const stem = childOf(one, 'questiontext')
    questions.push({
      place: `line ${one.line}`,
      stem: textInMoodle(stem),
      options: childrenOf(one, 'answer').map((answer) => ({
        // Answers in older files don't declare a format and use their question's HTML.
        text: textInMoodle(answer, stem?.attributes.format),
        credit: Number(answer.attributes.fraction ?? 0),
        feedback: textInMoodle(childOf(answer, 'feedback')),
      })),
      explanation: textInMoodle(childOf(one, 'generalfeedback')),
      category,
      flaw: flawInMoodle(one),
    })
  }
  return { questions, notices: isBroken ? ['broken_off'] : [] }
}

function flawInMoodle(question: Element): LeftOutReason | null {
  const kind = question.attributes.type
  if (kind !== 'multichoice') return kind === 'description' ? 'no_question' : 'other_kind'
  const hasPicture = rawText(childOf(question, 'image_base64')).trim() !== ''
  return hasPicture || allOf(question, 'file').length > 0 ? 'media' : null
}

/** Converts an element's <text> by its format, HTML by default. */
function textInMoodle(element: Element | null, formatAround = 'html'): PlainText {
  const written = rawText(childOf(element, 'text'))
  const format = element?.attributes.format ?? formatAround
  if (format === 'plain_text') return plainText(written)
  if (format === 'markdown')
    return { text: plainText(written).text, lost: MARKDOWN.test(written) ? ['markdown'] : [] }
  // Moodle's own format is HTML with meaningful line breaks.
  return textOfHtml(format === 'moodle_auto_format' ? written.replace(/\r?\n/g, '<br>') : written)
}

const MARKDOWN = /\*\*|__|`|^\s*[*#>-] |_\S.*\S_|\]\(/m

type ParsedXml = ReturnType<typeof parseXml>

/** Reads a single QTI document: QTI 1.2 with all questions, or an item of QTI 2. */
export function readQtiText(text: string): Found {
  const parsed = parseXml(text)
  const isCutBank = parsed.isBroken && parsed.root.name === 'questestinterop'
  return {
    questions: readDocument(parsed, null) ?? [],
    notices: isCutBank ? ['broken_off'] : [],
  }
}

/** Reads a QTI package: a zip with documents, in the order of its test if there is one. */
export function readQtiZip(zip: ZipFiles): Found {
  const documents = [...zip]
    // Macs add files to a zip that have the names of the real ones.
    .filter(([path]) => /\.(xml|dat)$/i.test(path) && !/^__MACOSX\//.test(path))
    .map(([path, unpack]) => ({ path, parsed: tryParse(unpack()) }))
  let isQti = false
  const questions = inTestOrder(documents).flatMap(({ path, parsed }) => {
    const read = parsed && readDocument(parsed, path)
    isQti ||= Boolean(read)
    // A file that isn't XML may or may not have been a question.
    const isItem = !parsed && !/imsmanifest|meta|context|settings/.test(path)
    return read ?? (isItem ? [flawedQuestion(shortPath(path), 'unreadable')] : [])
  })
  const hasZips = [...zip.keys()].some((path) => path.toLowerCase().endsWith('.zip'))
  if (!isQti) throw new QuestionFileError(hasZips ? 'only_zips' : 'unknown_format')
  return { questions, notices: hasZips ? ['zips_inside'] : [] }
}

/** Returns null if the file isn't XML; throws if it defines entities or is too deep. */
function tryParse(bytes: Buffer): ParsedXml | null {
  try {
    return parseXml(decodeText(bytes).text)
  } catch (error) {
    const problem = error instanceof QuestionFileError && error.problem
    if (problem === 'broken_xml' || problem === 'unknown_encoding') return null
    throw error
  }
}

/**
 * Returns null if the document isn't QTI.
 * @param path in the zip
 */
function readDocument({ root, isBroken }: ParsedXml, path: string | null): FoundQuestion[] | null {
  if (root.name === 'questestinterop') {
    const within = path === null ? '' : `${shortPath(path)}, `
    return allOf(root, 'item').map((item) => readItem12(item, `${within}line ${item.line}`))
  }
  if (root.name !== 'assessmentItem') return null
  const place = path === null ? `line ${root.line}` : shortPath(path)
  if (!isBroken) return [readItem2(root, place)]
  return [flawedQuestion(place, 'unreadable', rawText(root).trim().slice(0, 100))]
}

/** Sorts items in the test's order, then the others as in the zip. */
function inTestOrder<T extends { path: string; parsed: ParsedXml | null }>(documents: T[]): T[] {
  const named = documents
    .filter(({ parsed }) => parsed?.root.name === 'assessmentTest')
    .flatMap(({ parsed }) => allOf(parsed?.root, 'assessmentItemRef'))
  const ranks = new Map(named.map(({ attributes: { href = '' } }, at) => [baseName(href), at]))
  const rankOf = ({ path }: T) => ranks.get(baseName(path)) ?? named.length
  return documents.sort((a, b) => rankOf(a) - rankOf(b))
}

/** Items often have the same file name in different folders. */
const baseName = (path: string) => path.split('/').slice(-2).join('/')

const shortPath = (path: string) => (path.length > 80 ? `…${path.slice(-79)}` : path)

/** Reads QTI 1.2 (Canvas, Blackboard, Respondus): <item> with <presentation>, <response_lid> and <respcondition>s. */
function readItem12(item: Element, place: string): FoundQuestion {
  const presentation = childOf(item, 'presentation')
  const choices = allOf(presentation, 'response_lid')
  const feedbacks = new Map(
    childrenOf(item, 'itemfeedback').map((one) => [one.attributes.ident ?? '', materialOf(one)]),
  )
  const conditions = allOf(item, 'respcondition')
  const highest = Math.max(0, ...conditions.map(pointsOf))
  return {
    place,
    stem: materialOf(presentation),
    options: choices
      .flatMap((choice) => allOf(choice, 'response_label'))
      .map((label) => {
        const ident = label.attributes.ident ?? ''
        const own = conditions.filter((one) => childrenOf(one, 'conditionvar').some(names(ident)))
        const points = Math.max(0, ...own.map(pointsOf))
        const shown = own.flatMap((one) => childrenOf(one, 'displayfeedback'))
        const links = shown.map(({ attributes }) => attributes.linkrefid ?? '')
        const feedback = joinTexts(
          links.flatMap((link) => (GENERAL_LINK.test(link) ? [] : (feedbacks.get(link) ?? []))),
        )
        return {
          text: materialOf(label),
          credit: highest > 0 ? (points / highest) * 100 : 0,
          feedback: feedback.text ? feedback : feedbacks.get(`${ident}_fb`),
        }
      }),
    explanation: feedbacks.get('general_fb'),
    flaw: flawOf12(presentation, choices, conditions),
  }
}

/** Feedback for every right or wrong answer says nothing about a single option. */
const GENERAL_LINK = /^(general|correct|incorrect|general_.*)(_fb)?$/i

function flawOf12(
  presentation: Element | null,
  [choice, ...others]: readonly Element[],
  conditions: readonly Element[],
): LeftOutReason | null {
  if (!presentation) return 'unreadable'
  const typed = ['response_num', 'response_grp', 'response_str', 'render_fib']
  if (others.length > 0 || allOf(presentation, ...typed).length > 0) return 'other_kind'
  if (!choice) return 'no_question'
  // Options that must be chosen together.
  const isJoined = (one: Element) =>
    pointsOf(one) > 0 && allOf(one, 'varequal').length > 1 && allOf(one, 'or').length === 0
  const isSingle = (choice.attributes.rcardinality ?? 'single').toLowerCase() === 'single'
  return !isSingle || conditions.some(isJoined) ? 'several_keys' : null
}

/** Reads the points of a condition; the maximum counts as 100. */
function pointsOf(condition: Element): number {
  const written = childrenOf(condition, 'setvar').map((setvar) => rawText(setvar).trim())
  return Math.max(0, ...written.map((one) => (/max$/i.test(one) ? 100 : Number(one) || 0)))
}

/** Checks whether an option fulfills a condition: it is named outside of a 'not'. */
const names =
  (ident: string) =>
  (element: Element): boolean =>
    childrenOf(element).some((child) =>
      child.name === 'varequal'
        ? rawText(child).trim() === ident
        : child.name !== 'not' && names(ident)(child),
    )

function materialOf(element: Element | null): PlainText {
  const partsOf = (below: Element | null): PlainText[] =>
    childrenOf(below).flatMap((child) => {
      if (/^(response_(lid|str|num|grp)|render_\w+)$/.test(child.name)) return []
      if (child.name === 'mattext' || child.name === 'mat_formattedtext') return textIn12(child)
      const isMedia = /^mat(image|audio|video|applet|application)$/.test(child.name)
      return isMedia ? { text: '', lost: ['media'] } : partsOf(child)
    })
  return joinTexts(partsOf(element))
}

function textIn12(element: Element): PlainText {
  // HTML that wasn't escaped is parsed as elements.
  if (childrenOf(element).length > 0) return textOfElements(element.children)
  const type = element.attributes.texttype ?? element.attributes.type ?? ''
  const written = rawText(element)
  return /html|smart_text/i.test(type) ? textOfHtml(written) : plainText(written)
}

const isInteraction = ({ name }: Element) => name.endsWith('Interaction')
const isFeedback = ({ name }: Element) => name.startsWith('feedback')

/** Reads QTI 2.0 to 2.2 with one <assessmentItem> per file. */
function readItem2(item: Element, place: string): FoundQuestion {
  const body = childOf(item, 'itemBody')
  const interactions = interactionsIn(body)
  const [interaction] = interactions
  const response = childrenOf(item, 'responseDeclaration').find(
    ({ attributes }) => attributes.identifier === interaction?.attributes.responseIdentifier,
  )
  const credits = creditsOf(response)
  const modal = (ident: string) =>
    childrenOf(item, 'modalFeedback').filter((one) => one.attributes.identifier === ident)
  return {
    place,
    stem: textOfElements(
      [...(body?.children ?? []), ...childrenOf(interaction, 'prompt')],
      (one) => isInteraction(one) || one.name === 'rubricBlock' || isFeedback(one),
    ),
    options: allOf(interaction, 'simpleChoice').map((choice) => {
      const ident = choice.attributes.identifier ?? ''
      const inline = allOf(choice, 'feedbackInline', 'feedbackBlock')
      return {
        text: textOfElements(choice.children, isFeedback),
        credit: credits.get(ident) ?? 0,
        feedback: textOfElements([...inline, ...modal(ident)]),
      }
    }),
    explanation: textOfElements(modal('EXPLANATION')),
    flaw: flawOf2(item, interactions, response),
  }
}

const interactionsIn = (element: Element | null): Element[] =>
  childrenOf(element).flatMap((child) => (isInteraction(child) ? child : interactionsIn(child)))

function flawOf2(
  item: Element,
  [interaction, ...others]: readonly Element[],
  response: Element | undefined,
): LeftOutReason | null {
  if (!childOf(item, 'itemBody')) return 'unreadable'
  if (!interaction) return 'no_question'
  // The item has gaps in a text, random numbers per candidate, or another kind of answer.
  if (others.length > 0 || childOf(item, 'templateDeclaration')) return 'other_kind'
  if (interaction.name !== 'choiceInteraction') return 'other_kind'
  const isSingle = (response?.attributes.cardinality ?? 'single') === 'single'
  return !isSingle || (interaction.attributes.maxChoices ?? '1') !== '1' ? 'several_keys' : null
}

/** Reads each option's credit in percent: from the correct response, otherwise from the mapping. */
function creditsOf(response: Element | undefined): Map<string, number> {
  const mapped = childrenOf(childOf(response, 'mapping'), 'mapEntry').map(
    ({ attributes }) => [attributes.mapKey ?? '', Number(attributes.mappedValue ?? 0)] as const,
  )
  const highest = Math.max(0, ...mapped.map(([, points]) => points))
  const right = childrenOf(childOf(response, 'correctResponse'), 'value')
  return new Map([
    ...mapped.map(([id, points]) => [id, highest > 0 ? (points / highest) * 100 : 0] as const),
    ...right.map((value) => [rawText(value).trim(), 100] as const),
  ])
}
