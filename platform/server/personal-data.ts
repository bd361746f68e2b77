/** SQL that exports what a room stores about a person, by table. A test checks that no table is missing. */
export type PersonalData = Readonly<Record<string, FewRows | ManyRows>>

/** For a table with a handful of rows per person. $1 is the user's id. */
type FewRows = string

/** For a table that grows with a person's activity. It is read in batches, so that no export fills the memory. */
interface ManyRows {
  /** each row's key in export order; $1 is the user's id */
  keys: string
  /** a batch's rows in the same order; $1 is the user's id, $2 the keys, $3 (if used) now */
  rows: string
}
