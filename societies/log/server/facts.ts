type Detail = Readonly<Record<string, unknown>>

/** Something that an entry tells, in words. */
interface Fact {
  name: string
  /** null: it doesn't tell what was before */
  before: string | null
  after: string
}

/** Candidates and members, shown only to members who see names. */
const NAMING = new Set([
  'username',
  'usernames',
  'candidates',
  'moved',
  'reopened',
  'changes',
  'tooLate',
  'names',
  'name',
  'email',
  'emails',
  'note',
  'people',
  'rooms',
])
/** Said elsewhere in the entry, or of no use to a person. */
const LEFT_OUT = new Set(['reason', 'key', 'ids', 'changes', 'asOf', 'version'])

const LONGEST = 300

/**
 * What the detail of an entry says in addition to its sentence. Pairs such as secondsBefore and secondsAfter become
 * one fact, and a saved form tells only what changed.
 * @param mayName whether the reader sees candidates' names (product 7.7.4)
 */
export function factsOf(detail: Detail, mayName: boolean): Fact[] {
  const factOf = (name: string, before: unknown, after: unknown): Fact => ({
    name: nameOfKey(name),
    before: isNothing(before) ? null : textOf(before),
    after: textOf(after),
  })
  return Object.entries(detail).flatMap(([key, value]): Fact | Fact[] => {
    if (LEFT_OUT.has(key) || (NAMING.has(key) && !mayName) || isNothing(value)) return []
    if (key === 'before' && isRecord(value)) return []
    const afterKey = key.replace(/^before$/, 'after').replace(/Before$/, 'After')
    if (afterKey !== key) return isNothing(detail[afterKey]) ? factOf(key, null, value) : []
    const beforeKey = key.replace(/^after$/, 'before').replace(/After$/, 'Before')
    if (beforeKey !== key) {
      return factOf(key.replace(/after$/i, '') || 'value', detail[beforeKey], value)
    }
    const was = isRecord(detail.before) ? detail.before[key] : undefined
    if (was === undefined) return factOf(key, null, value)
    if (textOf(was) === textOf(value)) return []
    return factOf(key, isNothing(was) ? 'nothing' : was, value)
  })
}

const isRecord = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** 'deadlineAt' as 'deadline at'. */
const nameOfKey = (key: string) =>
  key.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)

function textOf(value: unknown): string {
  const text = wordsOf(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const isList = Array.isArray(value) && value.every((one) => typeof one !== 'object')
  return isList ? value.join(', ') : JSON.stringify(value)
}
