/** How long the link to a new address works (product 2.6.12), and how mail and screen say so. */
export const ADDRESS_CHANGE_MS = 24 * 60 * 60 * 1000
export const ADDRESS_CHANGE_IN_WORDS = 'one day'
