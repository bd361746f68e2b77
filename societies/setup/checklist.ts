/** The pages of a test that the checklist links to; '' is its overview. */
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

/** What counts before a test opens, in this order (product 7.8.7). */
export const CHECKLIST_ROWS = [
  'questions',
  'keys',
  'window',
  'candidates',
  'helpers',
  'rehearsal',
] as const
export type ChecklistRow = (typeof CHECKLIST_ROWS)[number]

/** What is fine as it is. */
export const SELF_KEEPING_ROWS = ['accommodations', 'retention'] as const

/** 'todo' is a gap in a draft, which is no fault yet. */
export const ROW_STATES = ['ready', 'attention', 'todo'] as const
export type RowState = (typeof ROW_STATES)[number]

export interface ChecklistLink {
  page: ChecklistPage
  label: string
  /** on the page of questions: the one to open */
  question?: string
}

/** One row: what was found, what it means, and the page to fix it. */
export interface Row {
  state: RowState
  /** 'Ready', 'Set', '1 of 3' */
  word: string
  /** a sentence that stands by itself: the headline and the list quote it where the row is not ready */
  finding: string
  rest: string
  link: ChecklistLink
}
