/** Text of one line or several: nothing that nobody sees, and nothing that turns the direction of writing. */
export const PARAGRAPHS =
  /^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*(?:\n[^\p{Cc}\u202a-\u202e\u2066-\u2069]*)*$/u
