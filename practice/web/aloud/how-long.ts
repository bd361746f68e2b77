/** How long a recording stays in this browser, and an answer that was not checked (product 3.13.6). */
export const KEPT_MS = 7 * 24 * 3600 * 1000

/** The device's mark that it may hold a recording: without it nothing has to be looked for. */
export const RECORDINGS_KEPT = 'superday-recordings'
