/** What the forms of this screen do, one at a time: a double click sends once. */
export type Work = 'signing in' | 'creating account' | 'guest'
export interface AuthWork {
  working: Work | null
  start: (name: Work, work: () => Promise<unknown>) => Promise<void>
}
