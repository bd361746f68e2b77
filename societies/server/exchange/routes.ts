import { type Api, ApiError, readFile } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { importReviewed, reviewQuestionFile, undoImport } from '../../contract/exchange.ts'
import { exportAssessment } from '../../contract/export.ts'
import { QUESTION_FILE_BYTES } from '../../questions/question-files.ts'
import { memberOf } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { exportQuestions } from './export-questions.ts'
import { refuseFile } from './read-apart.ts'
import { reviewFile, storeReviewed, undoImport as takeBack } from './store-reviewed.ts'

/** People whose files are received or read at once on a node: each is held in memory meanwhile. */
const FILES_AT_ONCE = 12

const FILES_QUOTA = {
  name: 'question-files',
  limit: 300,
  sentence: 'You have had very many files read today.',
}

/** Files of questions in and out (product 7.9.30 to 7.9.38). */
export function serveExchange(api: Api, dependencies: AppDependencies): void {
  const files = createQuota(dependencies, FILES_QUOTA)
  const organiserOf = memberOf(dependencies)
  const reading = new Set<string>()

  api.serve(reviewQuestionFile, async ({ params, user, organiser, context }) => {
    // Before a byte of the file is taken: what waits here is in memory.
    if (reading.has(user.id)) throw readingAlready()
    if (reading.size >= FILES_AT_ONCE) throw refuseFile('busy')
    reading.add(user.id)
    try {
      await files.take(user.id)
      const bytes = await receive(context.req.raw)
      const of = { code: params.code, societyId: organiser.societyId }
      return await reviewFile(dependencies, of, bytes, context.req.raw.signal)
    } finally {
      reading.delete(user.id)
    }
  })

  api.serve(importReviewed, async ({ params, user, organiser, body }) => {
    const of = { code: params.code, societyId: organiser.societyId }
    return storeReviewed(organiserOf(user), of, body)
  })

  api.serve(undoImport, async ({ params, user, organiser, body }) => {
    const of = { code: params.code, societyId: organiser.societyId }
    return takeBack(organiserOf(user), of, body.id)
  })

  api.serve(exportAssessment, async ({ params, query, user }) => {
    const format = query.format ?? 'csv'
    const acting = exportQuestions(organiserOf(user), params.code, format)
    const { content, count } = await acting.catch((error) => {
      throw asApiError(error)
    })
    const ending = format === 'csv' ? 'csv' : 'gift.txt'
    return { fileName: `${params.code.toLowerCase()}-questions.${ending}`, content, count }
  })
}

/** The file, with the sentence of files where it is too large. Errors: ApiError. */
async function receive(request: Request): Promise<Buffer> {
  try {
    return await readFile(request, QUESTION_FILE_BYTES)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'body_too_large') throw error
    throw refuseFile('too_large')
  }
}

/** What an export refuses, in the words of the page. */
function asApiError(error: unknown): unknown {
  if (!(error instanceof OrganiserRefusal)) return error
  return error.code === 'nothing_to_export'
    ? new ApiError(409, error.code, 'There is no question to export yet.')
    : new ApiError(404, error.code, 'There is no such assessment any more.')
}

const readingAlready = () =>
  new ApiError(
    429,
    'reading_already',
    'A file of yours is being read already. Please wait until it is done.',
    { retryAfterSeconds: 5 },
  )
