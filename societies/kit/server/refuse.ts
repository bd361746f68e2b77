import { ApiError } from '../../../platform/server/api.ts'

/**
 * The error for a request that can't be carried out. Nothing was changed (product 7.1.3).
 * `throw refuse(409, 'line_fixed', 'The cut score is locked. Give a reason to change it.')`
 * @param sentence says what to do, in the browser and on the command line
 * @param more data that the page needs in addition
 */
export const refuse = (
  status: 400 | 403 | 404 | 409 | 429 | 503,
  code: string,
  sentence: string,
  more: Record<string, unknown> = {},
): ApiError => new ApiError(status, code, sentence, { more })
