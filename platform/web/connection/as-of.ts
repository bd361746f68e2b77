/** Says that an answer is a copy kept in this browser: when the server gave it, as an HTTP date. */
export const AS_OF_HEADER = 'Superday-As-Of'
/** In place of the date: the copy is as good as new, and the server was not asked for it. */
export const FRESH = 'fresh'
