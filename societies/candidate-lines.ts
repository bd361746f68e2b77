import { EMAIL } from '../accounts/email.ts'
import { CANDIDATE_LENGTHS } from './candidate-limits.ts'
import { readExemptions } from './exemptions.ts'
import { describeDuration, MAX_MINUTES, readExtraTime } from './minutes.ts'
import { makeUsername, normaliseUsername } from './usernames.ts'

/*
 * A line of a list of candidates and what is to be said of it (product 7.10.4, 7.10.5): the page that shows
 * what was pasted and the server that adds it judge by the same function.
 */

export type CandidateField = keyof typeof CANDIDATE_LENGTHS

/** As it was written: nothing is refused yet. */
export type WrittenLine = { line: number } & Record<CandidateField, string>

/** Who is on the list already. */
export interface Listed {
  username: string
  name: string | null
  email: string | null
  room?: string | null
}

export interface LineProblem {
  field: CandidateField
  text: string
}

export interface JudgedLine {
  line: number
  username: string
  name: string | null
  /** lower case */
  email: string | null
  room: string | null
  note: string | null
  extraSeconds: number
  exemptKinds: string[]
  /** 'there': on the list already, and left as it is there */
  state: 'new' | 'there' | 'problem'
  problems: LineProblem[]
  /** what else to know of it; null where it is like the others */
  remark: string | null
}

/**
 * What is to be said of each line. Nobody is doubled: who is on the list by address, by username, or by a name
 * without another address, is left as it stands there.
 * @param hasNames whether the list gives names at all: then a blank one is a mistake
 * @param durationSeconds of the test, of which extra time may be a share
 */
export function judgeLines(
  lines: readonly WrittenLine[],
  listed: readonly Listed[],
  hasNames: boolean,
  durationSeconds: number,
): JudgedLine[] {
  const known = knownOf(listed)
  const seen = new Map<string, number>()
  const roomOf = oneSpelling(listed)
  const taken = new Set(listed.map(({ username }) => keyOf(username)))
  // Those that were written first, so that no made one takes them.
  for (const { username } of lines) if (username.trim() !== '') taken.add(keyOf(username))
  return lines.map((written) => {
    const cells = tidyLine(written)
    const extra = readExtraTime(cells.extra || '0', durationSeconds)
    const problems = problemsOf(cells, hasNames, extra !== null)
    const became = extra?.share ? `${extra.share} is ${describeDuration(extra.seconds)}` : null
    const base = {
      line: written.line,
      name: cells.name || null,
      email: cells.email || null,
      room: roomOf(cells.room),
      note: cells.note || null,
      extraSeconds: extra?.seconds ?? 0,
      exemptKinds: readExemptions(cells.exempt) ?? [],
    }
    const there = known(cells)
    if (there && problems.every(({ field }) => field === 'name')) {
      const remark = 'on the list, unchanged'
      return { ...base, username: there.username, state: 'there', problems: [], remark }
    }
    for (const [key, field] of keysOf(cells)) {
      const earlier = seen.get(key)
      if (earlier !== undefined && !problems.some((one) => one.field === field)) {
        problems.push({ field, text: `This stands on line ${earlier} too.` })
      }
      if (earlier === undefined) seen.set(key, written.line)
    }
    if (problems.length > 0) {
      return { ...base, username: cells.username, state: 'problem', problems, remark: null }
    }
    if (cells.username !== '') {
      return { ...base, username: cells.username, state: 'new', problems, remark: became }
    }
    const made = makeUsername(cells, (username) => taken.has(username))
    taken.add(made)
    const plain = makeUsername(cells, () => false)
    const second = made === plain ? null : `a second ${plain}`
    const remark = [second, became].filter(Boolean).join('; ') || null
    return { ...base, username: made, state: 'new', problems, remark }
  })
}

/** A room as it was written first: 'room a' and 'Room A' are one, or half of it is missing in each list of a room. */
function oneSpelling(listed: readonly Listed[]): (room: string) => string | null {
  const spellings = new Map<string, string>()
  for (const { room } of listed) if (room) spellings.set(room.toLowerCase(), room)
  return (room) => {
    if (room === '') return null
    const key = room.toLowerCase()
    const spelling = spellings.get(key) ?? room
    spellings.set(key, spelling)
    return spelling
  }
}

const keyOf = (text: string) => normaliseUsername(text).toLowerCase()

function tidyLine(written: WrittenLine): Record<CandidateField, string> {
  const tidy = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()
  return {
    name: tidy(written.name),
    email: written.email
      .trim()
      .replace(/^mailto:/i, '')
      .toLowerCase(),
    room: tidy(written.room),
    note: tidy(written.note),
    username: normaliseUsername(written.username),
    extra: written.extra.trim(),
    exempt: written.exempt.trim(),
  }
}

/** By what two lines are one person. */
function keysOf(cells: Record<CandidateField, string>): [string, CandidateField][] {
  const keys: [string, CandidateField][] = []
  if (cells.email !== '') keys.push([`mail ${cells.email}`, 'email'])
  if (cells.username !== '') keys.push([`user ${keyOf(cells.username)}`, 'username'])
  if (keys.length === 0 && cells.name !== '') keys.push([`name ${keyOf(cells.name)}`, 'name'])
  return keys
}

function knownOf(listed: readonly Listed[]) {
  const byUsername = new Map(listed.map((one) => [keyOf(one.username), one]))
  const byEmail = new Map(listed.flatMap((one) => (one.email ? [[one.email, one] as const] : [])))
  const byName = new Map<string, Listed[]>()
  for (const one of listed) {
    if (one.name) byName.set(keyOf(one.name), [...(byName.get(keyOf(one.name)) ?? []), one])
  }
  return (cells: Record<CandidateField, string>): Listed | undefined => {
    if (cells.username !== '') return byUsername.get(keyOf(cells.username))
    if (cells.email !== '' && byEmail.has(cells.email)) return byEmail.get(cells.email)
    // Two people may have one name, when their addresses say so.
    const named = cells.name === '' ? [] : (byName.get(keyOf(cells.name)) ?? [])
    return cells.email === '' ? named[0] : named.find(({ email }) => email === null)
  }
}

/** Characters that nobody sees, and those that turn the direction of writing. */
const INVISIBLE = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

function problemsOf(
  cells: Record<CandidateField, string>,
  hasNames: boolean,
  isExtraRead: boolean,
): LineProblem[] {
  const problems: LineProblem[] = []
  const add = (field: CandidateField, text: string) => problems.push({ field, text })
  if (cells.name === '' && (hasNames || (cells.email === '' && cells.username === ''))) {
    add('name', 'The name is missing.')
  }
  if (cells.email !== '' && !EMAIL.test(cells.email)) add('email', addressProblem(cells.email))
  if (!isExtraRead) {
    add(
      'extra',
      `‘${cells.extra}’ is no number of minutes between 0 and ${MAX_MINUTES}, and no percentage.`,
    )
  }
  if (readExemptions(cells.exempt) === null) {
    add('exempt', `‘${cells.exempt}’ is none of paste, shortcuts, leaving, copy and menu.`)
  }
  for (const field of Object.keys(CANDIDATE_LENGTHS) as CandidateField[]) {
    if (problems.some((one) => one.field === field)) continue
    if (cells[field].length > CANDIDATE_LENGTHS[field]) {
      add(field, `This is longer than ${CANDIDATE_LENGTHS[field]} characters.`)
    } else if (INVISIBLE.test(cells[field])) {
      add(field, 'This holds an invisible character.')
    }
  }
  return problems
}

/** What is wrong with an address, for who has to mend it. */
function addressProblem(email: string): string {
  if (!email.includes('@')) return 'This is no address: the @ is missing.'
  if (/\s/.test(email)) return 'This is no address: there is a blank in it.'
  if (!/@.+\../.test(email)) return 'This is no address: what stands behind the @ has no dot.'
  return 'This is no e-mail address that mail can be sent to.'
}
