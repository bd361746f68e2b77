import { showControls, showControlsInJson } from '../../../platform/server/control-characters.ts'
import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { CandidateAnswer, CandidateEvent, CandidateResult } from './results.ts'

/** Results as CSV; the columns are promised (product 6.11.1, 7.5.1). */
export function writeResults(results: readonly CandidateResult[]): string {
  return writeCsv(
    ['user', 'correct', 'incorrect', 'time', 'cheated'],
    results.map((one) => [one.username, one.correct, one.incorrect, one.time, one.cheated]),
  )
}

/** Answers as CSV. `right`: void where the item counts for nobody (product 7.5.2). */
export function writeAnswers(answers: readonly CandidateAnswer[]): string {
  return writeCsv(
    ['user', 'item', 'choice', 'key', 'right', 'revision', 'saved_at'],
    answers.map((one) => [
      one.username,
      one.item,
      one.choice,
      one.keys.join('/'),
      one.isRight ?? 'void',
      one.revision,
      one.savedAt,
    ]),
  )
}

const EVENT_COLUMNS = [
  'event',
  'user',
  'reference',
  'kind',
  'counted',
  'void_reason',
  'at_ms',
  'received_at',
  'window',
  'number',
  'user_id',
  'address',
  'agent',
  'detail',
]

/**
 * Events as CSV, page by page. `counted`: true for a strike that stands (product 7.5.3).
 * @param write takes the pieces of one file, the header in the first of them
 */
export function eventsWriter(
  write: (piece: string) => Promise<void> | void,
): (page: readonly CandidateEvent[]) => Promise<void> {
  let header: string[] | null = EVENT_COLUMNS
  return async (page) => {
    const rows = page.map((one) => [
      one.event,
      one.username,
      one.reference,
      one.kind,
      one.isCounted,
      one.voidReason,
      one.atMs,
      one.receivedAt,
      one.windowId,
      one.number,
      one.userId,
      one.address,
      // Made by the candidate's page, or whatever calls itself one.
      one.agent && showControls(one.agent),
      one.detail && showControlsInJson(one.detail),
    ])
    await write(writeCsv(header, rows))
    header = null
  }
}
