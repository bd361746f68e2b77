import { type Api, ApiError, readFile } from '../../../../platform/server/api.ts'
import type { AppDependencies } from '../../../../platform/server/dependencies.ts'
import { createQuota } from '../../../../platform/server/quota.ts'
import { serveMembers } from '../../../access/server/serve-members.ts'
import * as contract from '../../contract-exchange.ts'
import { QUESTION_FILE_BYTES } from '../../question-files.ts'
import { exportQuestions } from './export-questions.ts'
import { refuseFile } from './read-apart.ts'
import { reviewFile, storeReviewed, undoImport } from './store-reviewed.ts'

/** People whose files are received or read at once on a node: each is held in memory meanwhile. */
const FILES_AT_ONCE = 12

/** Files of questions in and out (product 7.9.30 to 7.9.38). */
export function serveExchange(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const files = createQuota(dependencies, {
    name: 'question-files',
    limit: 300,
    sentence: 'You have had very many files read today.',
  })
  const reading = new Set<string>()

  serve(contract.reviewQuestionFile, async ({ organiser, context }) => {
    const { userId } = organiser
    // Before a byte of the file is taken: what waits here is in memory.
    if (reading.has(userId)) throw readingAlready()
    if (reading.size >= FILES_AT_ONCE) throw refuseFile('busy')
    reading.add(userId)
    try {
      await files.take(userId)
      const request = context.req.raw
      return await reviewFile(organiser, await receive(request), request.signal)
    } finally {
      reading.delete(userId)
    }
  })
  serve(contract.importReviewed, ({ organiser, body }) => storeReviewed(organiser, body))
  serve(contract.undoImport, ({ organiser, body }) => undoImport(organiser, body.id))
  serve(contract.exportAssessment, async ({ organiser, query: { format = 'csv' } }) => {
    const { content, count } = await exportQuestions(organiser, format)
    const ending = format === 'csv' ? 'csv' : 'gift.txt'
    return { fileName: `${organiser.code.toLowerCase()}-questions.${ending}`, content, count }
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

const readingAlready = () =>
  new ApiError(429, 'reading_already', 'Another file of yours is still being read. Please wait.', {
    retryAfterSeconds: 5,
  })
