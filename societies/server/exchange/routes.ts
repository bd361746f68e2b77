import { type Api, ApiError, readFile } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { importReviewed, reviewQuestionFile, undoImport } from '../../contract/exchange.ts'
import { exportAssessment } from '../../contract/export.ts'
import {
  COLUMN_ROLES,
  QUESTION_FILE_BYTES,
  type TableLayout,
} from '../../questions/question-files.ts'
import type { WrittenFormat } from '../../questions/written-formats.ts'
import { memberOf } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { exportQuestions } from './export-questions.ts'
import { answered } from './refused.ts'
import { reviewForPage } from './review-for-page.ts'
import { storeReviewed, undoImport as takeBack } from './store-reviewed.ts'

/** People whose files are received or read at once on a node: each is held in memory meanwhile. */
const FILES_AT_ONCE = 12

const FILES_QUOTA = {
  name: 'question-files',
  limit: 300,
  sentence: 'You have had very many files read today.',
}

const WRITTEN: Record<WrittenFormat, { ending: string; mediaType: string }> = {
  gift: { ending: 'gift.txt', mediaType: 'text/plain; charset=utf-8' },
  aiken: { ending: 'aiken.txt', mediaType: 'text/plain; charset=utf-8' },
  moodle: { ending: 'moodle.xml', mediaType: 'application/xml' },
  qti3: { ending: 'qti3.zip', mediaType: 'application/zip' },
  csv: { ending: 'csv', mediaType: 'text/csv; charset=utf-8' },
}

/** Files of questions in and out (product 7.9.30 to 7.9.38). */
export function serveExchange(api: Api, dependencies: AppDependencies): void {
  const files = createQuota(dependencies, FILES_QUOTA)
  const organiserOf = memberOf(dependencies)
  const reading = new Set<string>()

  api.serve(reviewQuestionFile, async ({ params, query, user, organiser, context }) => {
    // Before a byte of the file is taken: what waits here lies in memory.
    if (reading.has(user.id)) throw readingAlready()
    if (reading.size >= FILES_AT_ONCE) {
      await answered(Promise.reject(new OrganiserRefusal('question_file', { problem: 'busy' })))
    }
    reading.add(user.id)
    try {
      await files.take(user.id)
      const bytes = await receive(context.req.raw)
      const { format, encoding } = query
      const layout = layoutOf(query)
      const told = {
        ...(format ? { format } : {}),
        ...(encoding ? { encoding } : {}),
        ...(layout ? { columns: layout } : {}),
      }
      const of = { code: params.code, societyId: organiser.societyId }
      const { signal } = context.req.raw
      return await answered(reviewForPage(organiserOf(user), of, bytes, told, signal))
    } finally {
      reading.delete(user.id)
    }
  })

  api.serve(importReviewed, async ({ params, user, organiser, body }) => {
    const of = { code: params.code, societyId: organiser.societyId }
    return answered(storeReviewed(organiserOf(user), of, body))
  })

  api.serve(undoImport, async ({ params, user, organiser, body }) => {
    const of = { code: params.code, societyId: organiser.societyId }
    return answered(takeBack(organiserOf(user), of, body.id))
  })

  api.serve(exportAssessment, async ({ params, query, user }) => {
    const format = query.format ?? 'csv'
    const written = await answered(exportQuestions(organiserOf(user), params.code, format))
    const { ending, mediaType } = WRITTEN[format]
    return {
      fileName: `${params.code.toLowerCase()}-questions.${ending}`,
      mediaType,
      content: Buffer.from(written.content).toString('base64'),
      count: written.count,
      leftOut: written.leftOut,
    }
  })
}

/** The file, with the sentence of files where it is too large. Errors: ApiError. */
async function receive(request: Request): Promise<Buffer> {
  try {
    return await readFile(request, QUESTION_FILE_BYTES)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'body_too_large') throw error
    return answered(Promise.reject(new OrganiserRefusal('question_file', { problem: 'too_large' })))
  }
}

/** 'question:0,a:1' as columns. */
function layoutOf({
  columns,
  skip,
}: {
  columns?: string | undefined
  skip?: string | undefined
}): TableLayout | null {
  if (columns === undefined) return null
  const pairs = columns.split(',').map((pair) => pair.split(':'))
  return {
    skip: Number(skip ?? 0),
    columns: Object.fromEntries(
      COLUMN_ROLES.flatMap((role) => {
        const [, column] = pairs.find(([name]) => name === role) ?? []
        return column === undefined ? [] : [[role, Number(column)]]
      }),
    ),
  }
}

const readingAlready = () =>
  new ApiError(
    429,
    'reading_already',
    'A file of yours is being read already. Please wait until it is done.',
    { retryAfterSeconds: 5 },
  )
