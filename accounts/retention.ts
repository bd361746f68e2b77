/** Guests who have not been here for so long go, with all they have (product 2.4.7, 8.7.4). */
export const GUEST_DAYS = 30
