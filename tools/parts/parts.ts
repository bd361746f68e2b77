import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'

const rulesSchema = z.strictObject({
  licences: z.array(z.string()),
  unusual: z.array(
    z.strictObject({ part: z.string(), is: z.string(), because: z.string().min(20) }),
  ),
  advisories: z.array(
    z.strictObject({
      id: z.string().regex(/^GHSA(-[a-z0-9]{4}){3}$/),
      /** the last day, in UTC */
      until: z.iso.date(),
      because: z.string().min(20),
    }),
  ),
})
export type PartRules = z.output<typeof rulesSchema>

/** The rules of parts.yaml. Errors: ZodError. */
export function readRules(): PartRules {
  return rulesSchema.parse(
    parse(readFileSync(path.join(import.meta.dirname, 'parts.yaml'), 'utf8')),
  )
}

/** A package as package-lock.json has it. */
export interface Part {
  name: string
  version: string
  /** as its package.json says it, or undefined */
  license?: string
  engines?: { node?: string }
}

/** Everything that `npm ci` may install, on any platform; the same package may stand in several versions. */
export function readParts(lockFile = path.join(PROJECT_DIR, 'package-lock.json')): Part[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, Omit<Part, 'name'>>
  }
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, part]) => ({
      ...part,
      name: place.slice(place.lastIndexOf('node_modules/') + 13),
    }))
}
