/** Marks a response as a copy cached in this browser. Its value is the server's time, as an HTTP date. */
export const AS_OF_HEADER = 'Superday-As-Of'
/** Instead of the date: the copy is recent enough, and the server wasn't asked. */
export const FRESH = 'fresh'
