import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

// Checks the words of screens, content, docs, comments, tests and the newest commits against CONTRIBUTING.md. Replace a
// word below, or list its file in KEPT with the reason.

const PATTERNS: readonly [pattern: RegExp, instead: string][] = [
  [/\bsomebod(y|ies)\b/i, 'the role: a candidate, a member; or someone'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\bshall\b/i, 'will, should'],
  [/\banew\b/i, 'again'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\breckon(s|ed|ing)?\b/i, 'calculate, compute'],
  [/\bnought\b/i, 'zero'],
  [/\bdearer\b/i, 'more expensive'],
  [/\bsuch a one\b/i, 'leave it out'],
  [/\bbesides\b/i, 'also'],
  [
    /\b(organis|recognis|realis(?!t)|analys(?=e[ds]?\b)|summaris|minimis|optimis(?!t))/i,
    'American spelling: -ize, -yze',
  ],
  [/\b(colour|favour|behaviour|labour|neighbour|honour)/i, 'American spelling: -or'],
  [/\b(cancelled|cancelling|labelled|travelled|modelled)\b/i, 'American spelling: one l'],
  [/\b(centre|licence|grey|judgement|programme|cheque)s?\b/i, 'American spelling'],
]

/** Files that keep such a word, and why. */
const KEPT: readonly [file: RegExp, why: string][] = [
  [/^tools\/check-words\.ts$/, 'the list itself'],
  [/(^|\/)migrations\//, 'a migration that ran is never changed'],
  [/^content\/(common-passwords\.txt|fingerprints\.txt)$/, 'no sentences'],
  [/(^|\/)LICENSE$/, 'the license text of its author'],
  [
    /^(package-lock\.json|.*\.(svg|patch|woff2|png|webp|pdf|ico|docx|xlsx|zip))$/,
    'not ours, or no text',
  ],
]

/** Addresses, columns and codes that clients know by these names. */
const ADDRESSES = /\/organise\b|\(organise\||\|organis\||'organise'|\borganiser(_\w+|@)/g

const COMMITS = 10
const SUBJECT_LENGTH = 65

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && existsSync(file) && !KEPT.some(([kept]) => kept.test(file)))
const found = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => hitsIn(line).map((hit) => `${file}:${at + 1}: ${hit}`)),
)
// A clone without history has its newest commit only.
const subjects = execFileSync('git', ['log', `-${COMMITS}`, '--format=%s'], { encoding: 'utf8' })
for (const subject of subjects.trim().split('\n')) {
  found.push(...hitsIn(subject).map((hit) => `commit '${subject}': ${hit}`))
  if (subject.length > SUBJECT_LENGTH) found.push(`commit '${subject}': over ${SUBJECT_LENGTH}`)
}

for (const hit of found) console.error(hit)
console.log(`words: ${files.length} files, ${found.length} to replace`)
process.exitCode = found.length > 0 ? 1 : 0

function hitsIn(text: string): string[] {
  const line = text.replace(ADDRESSES, '')
  return PATTERNS.flatMap(([pattern, instead]) => {
    const [hit] = pattern.exec(line) ?? []
    return hit ? [`'${hit}' → ${instead}`] : []
  })
}
