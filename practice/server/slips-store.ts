import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'

const slipSchema = z.strictObject({
  code: z.string().regex(/^[a-z0-9-]+$/, { error: 'must be lower case with hyphens' }),
  name: z.string().trim().min(1).max(40),
  line: z.string().trim().min(1),
})
export type Slip = z.infer<typeof slipSchema>

/** Reads the mistake patterns by code, in file order. Throws ZodError, or Error for a duplicate code or name. */
export async function readSlips(contentDir = CONTENT_DIR): Promise<Map<string, Slip>> {
  const text = await readFile(path.join(contentDir, 'slips.yaml'), 'utf8')
  const slips = z.array(slipSchema).parse(parseYaml(text))
  const byCode = new Map(slips.map((slip) => [slip.code, slip]))
  if (byCode.size < slips.length) throw new Error('slips.yaml: a code stands twice')
  if (new Set(slips.map(({ name }) => name)).size < slips.length) {
    throw new Error('slips.yaml: a name stands twice')
  }
  return byCode
}

let named: Promise<Map<string, Slip>> | undefined

/** Caches readSlips. A failed read is tried again. */
export function slipNames(): Promise<Map<string, Slip>> {
  named ??= readSlips().catch((error: unknown) => {
    named = undefined
    throw error
  })
  return named
}
