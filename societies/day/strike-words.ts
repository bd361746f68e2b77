// What strikes are, said alike wherever a society decides about a test and a candidate is invited to it (product 6.8).

/** For who sets a test up. */
export const STRIKES_FOR_SOCIETIES =
  'Every test counts strikes: leaving the page, copying, cutting, pasting, printing the screen, and the context menu. A candidate is warned at the first and the second; the third hands the test in. What was nobody’s fault can be taken back.'

/** For who is invited. */
export const STRIKES_FOR_CANDIDATES =
  'During the test stay on its page: leaving it, copying, pasting and the context menu count as strikes, and the third one hands the test in.'
