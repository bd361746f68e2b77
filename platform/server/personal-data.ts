/** What a room holds on a person, by table, as SQL for their export. A test checks that no table is missing. */
export type PersonalData = Readonly<Record<string, FewRows | ManyRows>>

/** For a table in which a person has a handful of rows. $1 is the user's id. */
type FewRows = string

/** For a table that grows with what a person does: read in batches, so that no export fills the memory. */
interface ManyRows {
  /** the key of each row in the order of the export; $1 is the user's id */
  keys: string
  /** the rows of a batch in the same order; $1 is the user's id, $2 the keys, $3 (if it is named) now */
  rows: string
}
