/** The pages of an assessment to which a sentence of the checklist leads; '' is its overview. */
export const CHECKLIST_PAGES = [
  '',
  'questions',
  'questions/import',
  'settings',
  'candidates',
  'candidates/add',
  'team',
] as const
export type ChecklistPage = (typeof CHECKLIST_PAGES)[number]

/** What counts before an assessment opens, in this order (product 7.8.7). */
export const CHECKLIST_ROWS = [
  'questions',
  'keys',
  'window',
  'candidates',
  'helpers',
  'rehearsal',
] as const
export type ChecklistRow = (typeof CHECKLIST_ROWS)[number]

/** What looks after itself: nothing to do is a right answer there. */
export const SELF_KEEPING_ROWS = ['accommodations', 'retention'] as const

/** Ready; somebody should look; not done yet, which in a draft is no fault. */
export const ROW_STATES = ['ready', 'attention', 'todo'] as const
export type RowState = (typeof ROW_STATES)[number]

export interface ChecklistLink {
  page: ChecklistPage
  label: string
  /** of the page of questions, the one that it opens */
  question?: string
}

/** One row: what was found, what it means, and where it is mended. */
export interface Row {
  state: RowState
  /** of the state: 'Ready', 'Set', 'Disputed', '1 of 3' */
  word: string
  /** with its number */
  finding: string
  rest: string
  /** what is missing, as a sentence of its own: 'One key is disputed.' Null when nothing is */
  missing: string | null
  link: ChecklistLink
}
