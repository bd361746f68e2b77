/** Text of one or more lines, without invisible characters or direction marks. */
export const PARAGRAPHS =
  /^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*(?:\n[^\p{Cc}\u202a-\u202e\u2066-\u2069]*)*$/u
