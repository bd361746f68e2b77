import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'

/** A word of the trade, as content/terms.yaml has it. */
const termSchema = z.strictObject({
  term: z.string().min(2),
  /** what it means, in one line */
  line: z.string().min(10).max(110),
  /** in which kind of interview */
  asked: z.string().min(4),
})
export type Term = z.infer<typeof termSchema>

/** All terms in the order of the file. Errors: ZodError; Error where one stands twice. */
export async function readTerms(contentDir = CONTENT_DIR): Promise<Term[]> {
  const text = await readFile(path.join(contentDir, 'terms.yaml'), 'utf8')
  const terms = z.array(termSchema).parse(parseYaml(text))
  const names = terms.map(({ term }) => term.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`terms.yaml has '${twice}' twice`)
  return terms
}

/**
 * The terms that occur nowhere.
 * @param texts all that people read and answer; where a line breaks does not matter
 */
export function termsWithout(terms: readonly Term[], texts: readonly string[]): string[] {
  const all = texts.join('\n').replace(/\s+/g, ' ').toLowerCase()
  return terms.map(({ term }) => term).filter((term) => !occurs(all, term.toLowerCase()))
}

/** At the start of a word: 'put' is in 'puts', not in 'output'. */
function occurs(all: string, term: string): boolean {
  for (let at = all.indexOf(term); at !== -1; at = all.indexOf(term, at + 1)) {
    if (!/[a-z0-9]/.test(all[at - 1] ?? ' ')) return true
  }
  return false
}
