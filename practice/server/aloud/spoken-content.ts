import { notInArray, sql } from 'drizzle-orm'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import type { Database } from '../../../platform/database/database.ts'
import { CONTENT_DIR } from '../../../platform/server/project-folder.ts'
import { type Passage, PROMPT_KINDS, type SpokenPrompt } from '../../aloud/spoken-prompt.ts'
import { excludedOf, readYamlFiles } from '../content/content.ts'
import { spokenPrompts } from '../tables.ts'

const text = z.string().trim().min(1)
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must be lower case with hyphens' })

/** A passage is a sentence without a point, or a sentence under the numbers of its points: '2' or '2, 3'. */
const writtenPassage = z
  .union([text, z.record(z.string().regex(/^[1-9](, [1-9])*$/), text)])
  .transform((written, context): Passage => {
    if (typeof written === 'string') return { text: written, points: [] }
    const [only, ...more] = Object.entries(written)
    if (!only || more.length > 0) {
      context.addIssue({ code: 'custom', message: 'must be one sentence under its points' })
      return z.NEVER
    }
    return { text: only[1], points: only[0].split(', ').map(Number) }
  })

export const writtenPromptSchema = z.strictObject({
  slug,
  kind: z.enum(PROMPT_KINDS),
  topic: slug,
  prompt: text,
  hint: text,
  short: z.array(writtenPassage),
  long: z.array(writtenPassage),
  points: z.array(z.strictObject({ say: text, note: text.optional() })),
  wrongTurn: text,
  followUps: z.array(z.strictObject({ prompt: text, answer: text })),
}) satisfies z.ZodType<SpokenPrompt>

/** Reads content/aloud/ in the order of the file names, which is the order of the list. */
export const readSpokenPromptFiles = (contentDir?: string) => readYamlFiles('aloud', contentDir)

/** Updates the prompts from content/ and keeps answered ones. On a ZodError or YAML error, it changes nothing. */
export async function loadSpokenPrompts(db: Database, contentDir = CONTENT_DIR): Promise<void> {
  const files = await readSpokenPromptFiles(contentDir)
  const rows = files
    .flatMap((file) => z.array(writtenPromptSchema).parse(parseYaml(file.text)))
    .map((body, place) => ({ slug: body.slug, place, body, retired: false }))
  await db.transaction(async (tx) => {
    if (rows.length > 0) {
      await tx
        .insert(spokenPrompts)
        .values(rows)
        .onConflictDoUpdate({
          target: spokenPrompts.slug,
          set: excludedOf(spokenPrompts, rows[0], ['slug']),
          setWhere: sql`(spoken_prompts.place, spoken_prompts.body, spoken_prompts.retired)
            is distinct from (excluded.place, excluded.body, excluded.retired)`,
        })
    }
    const slugs = rows.map((row) => row.slug)
    await tx
      .update(spokenPrompts)
      .set({ retired: true })
      .where(slugs.length > 0 ? notInArray(spokenPrompts.slug, slugs) : sql`true`)
  })
}
