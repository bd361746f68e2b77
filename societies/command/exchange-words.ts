import {
  FILE_NOTICES,
  FORMAT_NAMES,
  LEFT_OUT,
  type LeftOutReason,
  NOTICES,
  type Notice,
} from '../questions/question-files.ts'
import { NOT_WRITTEN, type NotWrittenReason } from '../questions/written-formats.ts'
import type { Imported } from '../server/exchange/import-questions.ts'
import type { LeftOut, Review } from '../server/exchange/review.ts'
import type { Written } from '../server/exchange/write-questions.ts'
import { count } from './words.ts'

/** Places named in a line; of more, how many. */
const PLACES = 20

/** What a file holds, before anything is stored. */
export function describeReview(review: Review): string {
  const { importable } = review
  return [
    `Import ${importable.length} of ${total(review)}: the file is ${describeFormat(review)}.`,
    ...describeFindings(review),
    importable.length > 0
      ? 'Nothing is stored yet; to add them to a test that nobody has started: --into CODE.'
      : 'Nothing of it can be imported; nothing was stored.',
  ].join('\n')
}

/** What was added, and what was not. */
export function describeImported(code: string, done: Imported): string {
  const { review, itemCount, demoAttemptsRemoved } = done
  const added = review.importable.length
  return [
    `${added} of ${count(total(review), 'question')} added to ${code}, which has ${itemCount} now.`,
    ...describeFindings(review),
    ...(added > 0
      ? [
          `If you load ${code} from its own file again, that file replaces these too; to keep them in it, write them out first: assessments export ${code} --format csv --out FILE.`,
        ]
      : []),
    ...(demoAttemptsRemoved > 0
      ? [`${count(demoAttemptsRemoved, 'demo attempt was', 'demo attempts were')} removed.`]
      : []),
  ].join('\n')
}

/** Questions that a format can not hold. */
export function describeNotWritten({ leftOut }: Written): string[] {
  return (Object.keys(NOT_WRITTEN) as NotWrittenReason[]).flatMap((reason) => {
    const places = leftOut.filter((one) => one.reason === reason).map(({ position }) => position)
    if (places.length === 0) return []
    return [
      `${count(places.length, 'question is', 'questions are')} not in it (${list(places.map(String))}): ${NOT_WRITTEN[reason]}. Another format can: gift or csv.`,
    ]
  })
}

const total = ({ importable, leftOut }: Review) => importable.length + leftOut.length

const describeFormat = ({ format, encoding }: Review) =>
  encoding ? `${FORMAT_NAMES[format]} (${encoding})` : FORMAT_NAMES[format]

function describeFindings({ notices, importable, leftOut }: Review): string[] {
  const reasons = (Object.keys(LEFT_OUT) as LeftOutReason[]).flatMap((reason) => {
    const those = leftOut.filter((one) => one.reason === reason)
    return those.length > 0 ? [describeReason(reason, those)] : []
  })
  const looks = (Object.keys(NOTICES) as Notice[]).flatMap((notice) => {
    const places = importable.filter((one) => one.notices.includes(notice)).map((one) => one.place)
    return places.length > 0 ? [`  ${NOTICES[notice]}: ${list(places)}`] : []
  })
  return [
    ...notices.map((notice) => FILE_NOTICES[notice]),
    ...(reasons.length > 0 ? [`What is not imported (${leftOut.length}):`, ...reasons] : []),
    ...(looks.length > 0 ? ['Worth a look among those that are:', ...looks] : []),
  ]
}

function describeReason(reason: LeftOutReason, those: readonly LeftOut[]): string {
  const { what, advice } = LEFT_OUT[reason]
  const lines = those
    .slice(0, PLACES)
    .map(({ place, excerpt }) => `    ${place}${excerpt ? `: ${excerpt}` : ''}`)
  const more = those.length - lines.length
  return [
    `  ${those.length} × ${what}. ${advice}`,
    ...lines,
    ...(more > 0 ? [`    and ${more} more`] : []),
  ].join('\n')
}

function list(places: readonly string[]): string {
  const shown = places.slice(0, PLACES).join('; ')
  return places.length > PLACES ? `${shown} and ${places.length - PLACES} more` : shown
}
