/** What a migration says of itself: whether nodes of the version before may serve while it runs, and after it. */
export interface LiveWord {
  isLive: boolean
  /** what it adds; or why not, after 'because' */
  words: string
  /** kinds of faults (tools/migration-faults.ts) that it bears, each with its reason */
  although: Map<string, string>
}

/**
 * Reads the first line of a migration (decision 047):
 *
 *     -- live: yes, adds a column of candidates that may be empty
 *     -- live: yes, adds an index of messages; although index: some hundreds of rows in a season
 *     -- live: no, because a node of before makes rulings without a kind
 *
 * @returns null where it says neither
 */
export function readLiveWord(sql: string): LiveWord | null {
  const [line = ''] = sql.split('\n', 1)
  const no = /^-- live: no, because (\S.+)$/.exec(line)
  if (no) return { isLive: false, words: no[1] as string, although: new Map() }
  const yes = /^-- live: yes, (\S.+)$/.exec(line)
  if (!yes) return null
  const [words = '', ...clauses] = (yes[1] as string).split('; although ')
  const although = new Map<string, string>()
  for (const clause of clauses) {
    const [, kind = clause, reason = ''] = /^([a-z ]+): (.+)$/.exec(clause) ?? []
    although.set(kind, reason)
  }
  return { isLive: true, words, although }
}
