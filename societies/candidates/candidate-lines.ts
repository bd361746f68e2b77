import { EMAIL } from '../../accounts/email.ts'
import { describeDuration } from '../../platform/durations.ts'
import { CANDIDATE_LENGTHS, hasLink, LINK_PROBLEM, VISIBLE } from '../kit/candidate-limits.ts'
import { MAX_MINUTES, readExtraTime } from '../kit/minutes.ts'
import { readExemptions } from '../setup/exemptions.ts'

/* Checks the lines of a candidate list, for both the page and the server (product 7.10.4, 7.10.5). */

export type CandidateField = keyof typeof CANDIDATE_LENGTHS

type Cells = Record<CandidateField, string>
/** The cells as the member wrote them, before validation. */
export type WrittenLine = { line: number } & Cells

export interface Listed {
  username: string
  name: string | null
  email: string | null
  room?: string | null
}

export interface JudgedLine {
  line: number
  username: string
  name: string | null
  email: string | null
  room: string | null
  note: string | null
  extraSeconds: number
  exemptKinds: string[]
  /** 'there' means the candidate is already on the list and stays unchanged. */
  state: 'new' | 'there' | 'problem'
  problems: { field: CandidateField; text: string }[]
  remark: string | null
}

/**
 * Checks each line. A candidate who is already on the list stays unchanged and isn't added twice. Candidates match by
 * address, by username, or by name if the addresses don't differ.
 * @param hasNames whether the list gives names at all; if so, a blank name is an error
 * @param durationSeconds the test's duration, of which extra time may be a percentage
 */
export function judgeLines(
  lines: readonly WrittenLine[],
  listed: readonly Listed[],
  hasNames: boolean,
  durationSeconds: number,
): JudgedLine[] {
  const findListed = findIn(listed)
  const seen = new Map<string, number>()
  // All lines use a room's first spelling, because 'room a' and 'Room A' would otherwise be listed as two rooms.
  const rooms = new Map<string, string>()
  const spell = (room: string) => {
    const key = room.toLowerCase()
    if (!rooms.has(key)) rooms.set(key, room)
    return rooms.get(key) || null
  }
  for (const { room } of listed) if (room) rooms.set(room.toLowerCase(), room)
  const nextNumbers = new Map<string, number>()
  const taken = new Set(listed.map(({ username }) => keyOf(username)))
  // A generated username must not equal one that a later line gives.
  for (const { username } of lines) if (username.trim() !== '') taken.add(keyOf(username))
  return lines.map(({ line, ...written }) => {
    const cells = tidyCells(written)
    const extra = readExtraTime(cells.extra || '0', durationSeconds)
    const problems = problemsOf(cells, hasNames, extra !== null)
    const base = {
      line,
      username: cells.username,
      name: cells.name || null,
      email: cells.email || null,
      room: spell(cells.room),
      note: cells.note || null,
      extraSeconds: extra?.seconds ?? 0,
      exemptKinds: readExemptions(cells.exempt) ?? [],
      problems,
      remark: null,
    }
    const there = findListed(cells)
    if (there && problems.every(({ field }) => field === 'name')) {
      const { username } = there
      return { ...base, username, state: 'there', problems: [], remark: 'on the list, unchanged' }
    }
    for (const [key, field] of keysOf(cells)) {
      const earlier = seen.get(key)
      if (earlier === undefined) seen.set(key, line)
      else if (!problems.some((one) => one.field === field)) {
        problems.push({ field, text: `This is on line ${earlier} too.` })
      }
    }
    if (problems.length > 0) return { ...base, state: 'problem' }
    const became = extra?.share && `${extra.share} is ${describeDuration(extra.seconds)}`
    if (cells.username !== '') return { ...base, state: 'new', remark: became || null }
    const username = makeUsername(cells, (made) => taken.has(made), nextNumbers)
    taken.add(username)
    const plain = makeUsername(cells, () => false)
    const second = username === plain ? null : `a second ${plain}`
    const remark = [second, became].filter(Boolean).join('; ') || null
    return { ...base, username, state: 'new', remark }
  })
}

function tidyCells(written: Cells): Cells {
  const tidy = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()
  const email = written.email.trim().replace(/^mailto:/i, '')
  return {
    name: tidy(written.name),
    email: email.toLowerCase(),
    room: tidy(written.room),
    note: tidy(written.note),
    username: normalise(written.username),
    extra: written.extra.trim(),
    exempt: written.exempt.trim(),
  }
}

/** Normalizes Unicode, because computers encode the same accented letter in different ways. */
const normalise = (text: string) => text.normalize('NFC').trim()
const keyOf = (text: string) => normalise(text).toLowerCase()

/** Two lines with a common key are the same person. */
function keysOf({ email, username, name }: Cells): [string, CandidateField][] {
  const keys: [string, CandidateField][] = []
  if (email !== '') keys.push([`mail ${email}`, 'email'])
  if (username !== '') keys.push([`user ${keyOf(username)}`, 'username'])
  return keys.length > 0 || name === '' ? keys : [[`name ${keyOf(name)}`, 'name']]
}

function findIn(listed: readonly Listed[]) {
  const byUsername = new Map(listed.map((one) => [keyOf(one.username), one]))
  const byEmail = new Map(listed.map((one) => [one.email, one]))
  // If several candidates share a name, the first one counts.
  const byNameIn = (some: readonly Listed[]) =>
    new Map([...some].reverse().map((one) => [one.name ? keyOf(one.name) : '', one]))
  const byName = byNameIn(listed)
  const withoutEmail = byNameIn(listed.filter((one) => one.email === null))
  return ({ username, email, name }: Cells): Listed | undefined => {
    const known = byUsername.get(keyOf(username)) ?? (email === '' ? undefined : byEmail.get(email))
    if (known || username !== '') return known
    // Two people can share a name if their addresses differ.
    return name === '' ? undefined : (email === '' ? byName : withoutEmail).get(keyOf(name))
  }
}

function problemsOf(cells: Cells, hasNames: boolean, isExtraRead: boolean) {
  const problems: JudgedLine['problems'] = []
  const add = (field: CandidateField, text: string) => problems.push({ field, text })
  const { name, email, username, extra, exempt } = cells
  if (name === '' && (hasNames || (email === '' && username === ''))) {
    add('name', 'The name is missing.')
  }
  if (hasLink(name)) add('name', LINK_PROBLEM)
  if (email !== '' && !EMAIL.test(email)) add('email', addressProblem(email))
  if (!isExtraRead) {
    add(
      'extra',
      `‘${extra}’ is neither a number of minutes from 0 to ${MAX_MINUTES} nor a percentage.`,
    )
  }
  if (readExemptions(exempt) === null) {
    add('exempt', `‘${exempt}’ is none of paste, shortcuts, leaving, copy and menu.`)
  }
  for (const field of Object.keys(CANDIDATE_LENGTHS) as CandidateField[]) {
    if (problems.some((one) => one.field === field)) continue
    if (cells[field].length > CANDIDATE_LENGTHS[field]) {
      add(field, `This is longer than ${CANDIDATE_LENGTHS[field]} characters.`)
    } else if (!VISIBLE.test(cells[field])) {
      add(field, 'This has an invisible character.')
    }
  }
  return problems
}

function addressProblem(email: string): string {
  if (!email.includes('@')) return 'This address has no @.'
  if (/\s/.test(email)) return 'This address has a space in it.'
  if (!/@.+\../.test(email)) return 'This address has no dot after the @.'
  return 'Email can’t be sent to this address.'
}

/** Generated usernames stay short because candidates type them on a phone or from a printed sheet. */
const MADE_LENGTH = 30

/** Letters that Unicode doesn't decompose into a base letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
}

/**
 * Generates a username for a candidate whose list gives none (product 7.10.5): first and last name, or the part before
 * the @, in ASCII letters and digits. If it's taken, a number is added.
 * @param isTaken receives lower-case usernames
 * @param next the number to try first, because thousands of candidates in one list may share a name
 */
export function makeUsername(
  { name, email }: { name: string; email: string },
  isTaken: (username: string) => boolean,
  next = new Map<string, number>(),
): string {
  const words = plainWords(name)
  const ofName = words.length > 1 ? `${words[0]}.${words.at(-1)}` : (words[0] ?? '')
  const ofEmail = plainWords(email.split('@')[0] ?? '').join('.')
  const base = (ofName || ofEmail || 'candidate').slice(0, MADE_LENGTH).replace(/\.$/, '')
  if (!isTaken(base)) return base
  let number = next.get(base) ?? 2
  while (isTaken(`${base}${number}`)) number += 1
  next.set(base, number + 1)
  return `${base}${number}`
}

function plainWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{ASCII}]/gu, (letter) => PLAIN[letter] ?? '')
    // O'Brien and Anne-Marie count as one word each.
    .replace(/['’-]/g, '')
  return plain.split(/[^a-z0-9]+/).filter((word) => word !== '')
}
