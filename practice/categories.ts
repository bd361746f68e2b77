import { testsUrl } from '../platform/urls.ts'

export const CATEGORIES = [
  'Financial Accounting & Analysis',
  'Valuation & Corporate Finance',
  'Financial Markets & Instruments',
  'Macroeconomics & Business Strategy',
  'Mental Agility & Problem Solving',
] as const
export type Category = (typeof CATEGORIES)[number]

export const SHORT_NAMES: Record<Category, string> = {
  'Financial Accounting & Analysis': 'Accounting',
  'Valuation & Corporate Finance': 'Valuation',
  'Financial Markets & Instruments': 'Markets',
  'Macroeconomics & Business Strategy': 'Macro',
  'Mental Agility & Problem Solving': 'Mental Agility',
}

export const MENTAL_AGILITY: Category = 'Mental Agility & Problem Solving'

export function difficultiesOf(category: Category): readonly Difficulty[] {
  return category === MENTAL_AGILITY ? ['Discover Finance'] : DIFFICULTIES
}

export function listCells(): { category: Category; difficulty: Difficulty }[] {
  return CATEGORIES.flatMap((category) =>
    difficultiesOf(category).map((difficulty) => ({ category, difficulty })),
  )
}

export function shortCellName(category: Category, difficulty: Difficulty): string {
  const name = SHORT_NAMES[category]
  return category === MENTAL_AGILITY ? name : `${name}, ${difficulty}`
}

export function isCategory(text: string): text is Category {
  return (CATEGORIES as readonly string[]).includes(text)
}

/** 'Financial Accounting & Analysis' → 'financial-accounting-analysis' */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export const topicKey = (category: Category, topic: string): string =>
  `${slugOf(category)}/${topic}`

export function waysInto(category: string): { difficulty: string; level: string; url: string }[] {
  if (!isCategory(category)) return []
  return difficultiesOf(category).map((difficulty) => ({
    difficulty,
    level: DIFFICULTY_LEVELS[difficulty],
    url: testsUrl(category, difficulty),
  }))
}

export const DIFFICULTIES = ['Discover Finance', 'Intern', 'Analyst'] as const
export type Difficulty = (typeof DIFFICULTIES)[number]

export const DIFFICULTY_LEVELS: Record<Difficulty, 'Easy' | 'Medium' | 'Hard'> = {
  'Discover Finance': 'Easy',
  Intern: 'Medium',
  Analyst: 'Hard',
}

export const DIFFICULTY_BADGES: Record<Difficulty, 'beginner' | 'intermediate' | 'advanced'> = {
  'Discover Finance': 'beginner',
  Intern: 'intermediate',
  Analyst: 'advanced',
}

export function isDifficulty(text: string): text is Difficulty {
  return (DIFFICULTIES as readonly string[]).includes(text)
}
