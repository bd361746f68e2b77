/** Seconds from Reveal to Submit that are counted at most: a day (product 5.8). */
export const LONGEST_SECONDS = 86_400
