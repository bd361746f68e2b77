/** The three difficulty names, as used in routes and data (product 1.2.2). */
export const DIFFICULTIES = ['Discover Finance', 'Intern', 'Analyst'] as const
export type Difficulty = (typeof DIFFICULTIES)[number]

/** What stands in brackets behind a difficulty in the picker. */
export const DIFFICULTY_LEVELS: Record<Difficulty, 'Easy' | 'Medium' | 'Hard'> = {
  'Discover Finance': 'Easy',
  Intern: 'Medium',
  Analyst: 'Hard',
}

/** Badge colours are keyed by these names (product 1.2.2). */
export const DIFFICULTY_BADGES: Record<Difficulty, 'beginner' | 'intermediate' | 'advanced'> = {
  'Discover Finance': 'beginner',
  Intern: 'intermediate',
  Analyst: 'advanced',
}

export function isDifficulty(text: string): text is Difficulty {
  return (DIFFICULTIES as readonly string[]).includes(text)
}
