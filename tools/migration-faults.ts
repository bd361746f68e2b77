import { type LiveWord, readLiveWord } from '../platform/database/migrate.ts'

// What a live migration must not do, because nodes of the previous version serve meanwhile (decision 047). Only the SQL
// is checked: every table that the migration didn't create counts as full and in use.

/** Why each kind isn't allowed in a live migration. */
const FAULTS = {
  drop: 'nodes of the previous version still use what is dropped, or count on what is no longer required',
  rename: 'a node of the previous version knows only the old name',
  type: 'a new type rewrites every row under a lock that blocks all reads',
  'not null':
    'all rows are read under a lock, and nodes of the previous version may leave the column empty; validate a check first, in a separate migration',
  rewrite: 'a default that is not a constant rewrites every row under a lock',
  index:
    'writes to the table are blocked while an index is built; use concurrently, in a separate migration',
  'foreign key':
    'writes to both tables are blocked during the check; use not valid, and validate in the next migration',
  check:
    'reads of the table are blocked during the check; use not valid, and validate in the next migration',
  validate:
    "this migration's other locks are held while all rows are read; validate in a separate one",
  rows: 'changed rows stay locked until the end of the migration',
  trigger: 'it affects what nodes of the previous version write',
  lock: 'it locks whole tables for its whole duration',
  concurrently:
    'an index is built concurrently outside of a transaction, so the migration must contain nothing else; before each index, use drop index concurrently if exists, because an interrupted build leaves a broken one',
} as const
type FaultKind = keyof typeof FAULTS

/** No reason excuses these. */
const NEVER_EXCUSED: readonly FaultKind[] = ['concurrently']
/** Minimum characters, because a reason is a sentence and not a word. */
const REASON_LENGTH = 15

/** What earlier migrations proved about columns: 'table.column' that a validated check says is never null. */
export class Proven {
  readonly #checks = new Map<string, string>()
  readonly columns = new Set<string>()

  /** @param clause of alter table, normalized */
  note(table: string, clause: string): void {
    const added = /^add constraint (\S+) check \(\(?([\w.]+) is not null\)?\) not valid$/.exec(
      clause,
    )
    if (added) this.#checks.set(`${table}.${added[1]}`, `${table}.${added[2]?.split('.').pop()}`)
    const [, name] = /^validate constraint (\S+)$/.exec(clause) ?? []
    const column = name && this.#checks.get(`${table}.${name}`)
    if (column) this.columns.add(column)
  }
}

/**
 * All problems of the migrations in order, each a sentence.
 * @param files name and SQL, in order
 */
export function findFaults(files: readonly { name: string; sql: string }[]): string[] {
  const proven = new Proven()
  return files.flatMap(({ name, sql }) => {
    const word = readLiveWord(sql)
    const faults = listFaults(sql, proven)
    if (!word) {
      return [
        `${name}: its first line must say whether it can run while nodes of the previous version serve: '-- live: yes, adds …' or '-- live: no, because …'`,
      ]
    }
    return judge(word, faults).map((sentence) => `${name}: ${sentence}`)
  })
}

function judge(word: LiveWord, faults: ReadonlyMap<FaultKind, string>): string[] {
  const sentences: string[] = []
  for (const [kind, statement] of faults) {
    // This rule doesn't depend on which nodes serve.
    if (!word.isLive && kind !== 'concurrently') continue
    const reason = NEVER_EXCUSED.includes(kind) ? undefined : word.although.get(kind)
    if (reason && reason.length >= REASON_LENGTH) continue
    sentences.push(`it says live but isn't (${kind}): ${statement} … ${FAULTS[kind]}`)
  }
  for (const kind of word.although.keys()) {
    if (!faults.has(kind as FaultKind))
      sentences.push(`it excuses '${kind}', which it doesn't contain`)
  }
  return sentences
}

/** @returns the first statement of each kind of fault */
function listFaults(sql: string, proven: Proven): Map<FaultKind, string> {
  const found = new Map<FaultKind, string>()
  const statements = statementsOf(sql)
  const made = new Set(
    statements.flatMap((text) => /^create table (?:if not exists )?(\S+)/.exec(text)?.[1] ?? []),
  )
  for (const text of statements) {
    for (const kind of kindsOf(text, { made, proven })) {
      if (!found.has(kind)) found.set(kind, text.slice(0, 100))
    }
  }
  const validating = statements.filter((text) => VALIDATES.test(text))
  if (validating.length > 0 && validating.length < statements.length) {
    found.set('validate', validating[0] as string)
  }
  if (statements.some((text) => IS_CONCURRENT.test(text)) && !isBuiltAlone(statements)) {
    found.set('concurrently', statements.find((text) => IS_CONCURRENT.test(text)) ?? '')
  }
  return found
}

const VALIDATES = /^alter table \S+ validate constraint \S+$/
const IS_CONCURRENT = /^(create (unique )?index|drop index) concurrently /

/** Whether the migration consists only of pairs that drop and build an index, both concurrently. */
function isBuiltAlone(statements: readonly string[]): boolean {
  return statements.every((text, at) => {
    const dropped = /^drop index concurrently if exists (\S+)$/.exec(text)?.[1]
    const next = at % 2 === 0 ? statements[at + 1] : statements[at - 1]
    const built = /^create (?:unique )?index concurrently (\S+) on /
    if (at % 2 === 0) return dropped !== undefined && built.exec(next ?? '')?.[1] === dropped
    return built.test(text)
  })
}

interface Around {
  /** tables that this migration creates and that aren't in use yet */
  made: ReadonlySet<string>
  proven: Proven
}

function kindsOf(text: string, { made, proven }: Around): FaultKind[] {
  if (IS_CONCURRENT.test(text)) return []
  if (/^drop /.test(text)) return ['drop']
  if (/^alter .*\brename\b/.test(text)) return ['rename']
  if (/^(truncate|lock|cluster|vacuum|reindex|refresh) /.test(text)) return ['lock']
  if (/^do\b/.test(text)) return ['rows']
  const table = (pattern: RegExp) => {
    const name = pattern.exec(text)?.[1]
    return name !== undefined && !made.has(name)
  }
  if (table(/^create (?:unique )?index (?:if not exists )?\S+ on (?:only )?(\S+)/)) return ['index']
  if (table(/^(?:update|delete from|merge into) (?:only )?(\S+)/)) return ['rows']
  if (table(/^create (?:or replace )?(?:constraint )?trigger .*? on (\S+)/)) return ['trigger']
  const [, altered, rest] = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(text) ?? []
  if (!altered || made.has(altered)) return []
  return splitAtCommas(rest ?? '').flatMap((clause) => {
    const kinds = kindsOfClause(altered, clause, proven)
    proven.note(altered, clause)
    return kinds
  })
}

function kindsOfClause(table: string, clause: string, proven: Proven): FaultKind[] {
  if (/^drop |^alter (column )?\S+ drop /.test(clause)) return ['drop']
  if (/^alter (column )?\S+ (set data )?type /.test(clause)) return ['type']
  const [, column] = /^alter (?:column )?(\S+) set not null$/.exec(clause) ?? []
  if (column) return proven.columns.has(`${table}.${column}`) ? [] : ['not null']
  if (/^set (un)?logged|^set (tablespace|access method) /.test(clause)) return ['rewrite']
  if (/^add (constraint|primary|unique|foreign|check|exclude)\b/.test(clause)) {
    return kindsOfConstraint(clause)
  }
  return /^add /.test(clause) ? kindsOfColumn(clause) : []
}

function kindsOfConstraint(clause: string): FaultKind[] {
  const isChecked = !/\bnot valid$/.test(clause)
  if (/\bforeign key\b/.test(clause)) return isChecked ? ['foreign key'] : []
  if (/\b(primary key|unique|exclude)\b/.test(clause)) {
    return / using index /.test(clause) ? [] : ['index']
  }
  return isChecked ? ['check'] : []
}

/** A constant is a literal, an empty array or object, or the current time, which is constant within a statement. */
const CONSTANT =
  /^(''|-?[\d.]+|true|false|null|array\[\]|now\(\)|current_(timestamp|date))(::[\w[\] ]+)?$/

function kindsOfColumn(clause: string): FaultKind[] {
  const kinds: FaultKind[] = []
  const [, given] =
    / default (.+?)(?= (?:not null|null|check|unique|primary|references|constraint)\b|$)/.exec(
      clause,
    ) ?? []
  if (given && !CONSTANT.test(given)) kinds.push('rewrite')
  if (/ generated | (small|big)?serial\b/.test(clause)) kinds.push('rewrite')
  else if (/ not null/.test(clause) && !given) kinds.push('not null')
  if (/ (unique|primary key)\b/.test(clause)) kinds.push('index')
  if (/ references /.test(clause)) kinds.push('foreign key')
  if (/ check \(/.test(clause)) kinds.push('check')
  return kinds
}

/** Normalizes the statements: no comments, function bodies, texts, quotes or schema, single spaces, lowercase. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'|--.*$|\/\*[\s\S]*?\*\//gm, (part) => (part[0] === "'" ? "''" : ' '))
    .split(';')
    .map((text) =>
      text
        .replaceAll(/"public"\.|\bpublic\.|"/gi, '')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .toLowerCase(),
    )
    .filter(Boolean)
}

/** Ignores commas within parentheses. */
function splitAtCommas(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of text) {
    if (sign === '(' || sign === '[') depth += 1
    if (sign === ')' || sign === ']') depth -= 1
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim())
}
