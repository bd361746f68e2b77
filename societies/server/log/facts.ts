type Detail = Readonly<Record<string, unknown>>

/** Something that an entry tells, in words; `before` where it tells that too. */
export interface Fact {
  name: string
  before: string | null
  after: string
}

/** Those who sat, and members: shown to who may see names. */
const NAMING = new Set([
  ...['username', 'usernames', 'candidates', 'moved', 'reopened', 'changes', 'tooLate', 'names'],
  ...['name', 'email', 'emails', 'note', 'people', 'rooms'],
])
/** Said elsewhere in the entry, or of no use to a person. */
const LEFT_OUT = new Set(['reason', 'key', 'ids', 'changes', 'asOf', 'version'])

const LONGEST = 300

/**
 * What the detail of an entry says besides its sentence: pairs such as secondsBefore and secondsAfter become
 * one fact.
 * @param mayName whether the reader sees who candidates are (product 7.7.4)
 */
export function factsOf(detail: Detail, mayName: boolean): Fact[] {
  const facts: Fact[] = []
  for (const [key, value] of Object.entries(detail)) {
    if (LEFT_OUT.has(key) || (NAMING.has(key) && !mayName) || isNothing(value)) continue
    if (key === 'before' && isRecord(value)) continue
    if (key === 'before' || key.endsWith('Before')) {
      const afterKey = key === 'before' ? 'after' : key.replace(/Before$/, 'After')
      if (!isNothing(detail[afterKey])) continue
      facts.push({ name: `${nameOfKey(key)}`, before: null, after: textOf(value) })
      continue
    }
    if (key === 'after' || key.endsWith('After')) {
      const beforeKey = key === 'after' ? 'before' : key.replace(/After$/, 'Before')
      const name = nameOfKey(key.replace(/After$/, '')) || 'value'
      const before = detail[beforeKey]
      facts.push({ name, before: isNothing(before) ? null : textOf(before), after: textOf(value) })
      continue
    }
    const was = isRecord(detail.before) ? detail.before[key] : undefined
    // Of a form that was saved, what was changed.
    if (was !== undefined && textOf(was) === textOf(value)) continue
    const before = was === undefined ? null : isNothing(was) ? 'nothing' : textOf(was)
    facts.push({ name: nameOfKey(key), before, after: textOf(value) })
  }
  return facts
}

const isRecord = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** 'deadlineAt' as 'deadline at'. */
const nameOfKey = (key: string) =>
  key.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)

function textOf(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'boolean'
        ? value
          ? 'yes'
          : 'no'
        : Array.isArray(value) && value.every((one) => typeof one !== 'object')
          ? value.join(', ')
          : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text
}
