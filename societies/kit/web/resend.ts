import { ApiFailure } from '../../../platform/web/api-failure.ts'

/** Whether the server may have done what it was asked, although no answer came. */
const isUnanswered = (error: unknown): boolean =>
  !(error instanceof ApiFailure) || error.status === 0 || error.status >= 500

/**
 * Sends requests so that a retry of the same input after a lost answer repeats the first one to the letter. The page may
 * have read newer data meanwhile, and a request id is good for one body (product 7.15.3).
 */
export function createResender<Done>() {
  let unanswered: { input: string; request: () => Promise<Done> } | null = null
  return {
    /** @param input what the person typed and chose: once it changes, the new request is sent */
    async send(input: string, next: () => Promise<Done>): Promise<Done> {
      const request = unanswered?.input === input ? unanswered.request : next
      unanswered = { input, request }
      try {
        const done = await request()
        unanswered = null
        return done
      } catch (error) {
        if (!isUnanswered(error)) unanswered = null
        throw error
      }
    },
    /** The next request is a new one. */
    forget(): void {
      unanswered = null
    },
  }
}
