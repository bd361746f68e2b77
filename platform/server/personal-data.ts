/**
 * What a room holds on a person, by table: the SQL that reads it for their own export ($1 is the user's
 * id). Columns are named one by one. A test holds the lists of all rooms against the schema, so that a new
 * table with a user_id is not forgotten (product 2.8.1).
 */
export type PersonalData = Readonly<Record<string, string>>
