/** A test's size: the first in npm run test:full, the second in npm test. */
export const sized = <T>(full: T, small: T): T => (process.env.TEST_FULL ? full : small)
