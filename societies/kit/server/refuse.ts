import { ApiError } from '../../../platform/server/api.ts'

/**
 * What an organizer is told who asked for something that can't be done. Nothing was changed (product 7.1.3).
 * `throw refuse(409, 'line_fixed', 'The cut score is locked. Give a reason to change it.')`
 * @param sentence says what to do, in the browser and at the command line
 * @param more what the page needs beside the sentence
 */
export const refuse = (
  status: 400 | 403 | 404 | 409 | 429 | 503,
  code: string,
  sentence: string,
  more: Record<string, unknown> = {},
): ApiError => new ApiError(status, code, sentence, { more })
