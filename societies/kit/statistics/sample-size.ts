/** Below so many candidates there are counts alone: a share of fewer says more than it knows. */
export const SHARES_FROM = 15

/**
 * Below so many nothing is said of reliability, of an order of scores, or of how well a question separates: a
 * discrimination of .30 among 15 lies between −.25 and .70.
 */
export const FIGURES_FROM = 30

/** What stands in place of a figure: 'n = 22, too few to say'. */
export const tooFewWords = (people: number): string => `n = ${people}, too few to say`
