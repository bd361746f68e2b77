import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import satisfies from 'spdx-satisfies'
import { parse } from 'yaml'
import { z } from 'zod'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'

const rulesSchema = z.strictObject({
  licenses: z.array(z.string()),
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
type PartRules = z.output<typeof rulesSchema>

/** The rules of parts.yaml. Errors: ZodError. */
export function readRules(): PartRules {
  return rulesSchema.parse(
    parse(readFileSync(path.join(import.meta.dirname, 'parts.yaml'), 'utf8')),
  )
}

/** A package in package-lock.json. */
export interface Part {
  name: string
  version: string
  /** from its package.json, or undefined */
  license?: string
  engines?: { node?: string }
}

/** Everything that `npm ci` may install on any platform. A package may occur in several versions. */
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

const advisorySchema = z.object({ title: z.string(), url: z.string(), severity: z.string() })
const reportSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    // A name means that another entry of the report has the advisory.
    z.object({ via: z.array(z.union([z.string(), advisorySchema])) }),
  ),
})
const failureSchema = z.object({ message: z.string() })

/** The output of `npm audit --json`: a report, or the reason that there is none. */
type AuditAnswer = { report: z.output<typeof reportSchema> } | { unreachable: string }

/** Errors: ZodError when npm returns neither. */
export function readAnswer(text: string): AuditAnswer {
  const said = JSON.parse(text)
  const report = reportSchema.safeParse(said)
  if (report.success) return { report: report.data }
  return { unreachable: failureSchema.parse(said).message }
}

/** Asks npm's registry about the packages in package-lock.json, for at most half a minute. */
export function askRegistry(folder: string): Promise<AuditAnswer> {
  return new Promise((resolve, reject) => {
    const quick = ['--fetch-retries=0', '--fetch-timeout=20000']
    const child = spawn('npm', ['audit', '--json', '--audit-level=none', ...quick], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
      timeout: 30_000,
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === null || text === '') resolve({ unreachable: 'no response in 30 s' })
      else {
        try {
          resolve(readAnswer(text))
        } catch (error) {
          reject(error)
        }
      }
    })
  })
}

/**
 * A sentence for each advisory without a judgment, and for each judgment that has expired or is unused.
 * @param now decides which judgments have expired
 */
export function checkAdvisories(
  { vulnerabilities }: z.output<typeof reportSchema>,
  judged: PartRules['advisories'],
  now: Date,
): string[] {
  const found = new Map<string, string>()
  for (const [name, { via }] of Object.entries(vulnerabilities)) {
    for (const one of via) {
      if (typeof one === 'string') continue
      const id = one.url.slice(one.url.lastIndexOf('/') + 1)
      found.set(id, `${name}: ${one.title} (${one.severity}, ${id})`)
    }
  }
  const today = now.toISOString().slice(0, 10)
  const sentences: string[] = []
  for (const [id, sentence] of found) {
    const judgment = judged.find((one) => one.id === id)
    if (!judgment) sentences.push(sentence)
    else if (judgment.until < today) sentences.push(`${sentence}: judged until ${judgment.until}`)
  }
  const idle = judged.filter(({ id }) => !found.has(id))
  return [...sentences, ...idle.map(({ id }) => `${id} is not reported any more: remove it`)]
}

/** A sentence for each package whose license isn't allowed, and for each unused exception. */
export function checkLicenses(
  parts: readonly Part[],
  { licenses, unusual }: Pick<PartRules, 'licenses' | 'unusual'>,
): string[] {
  const sentences: string[] = []
  const needed = new Set<string>()
  for (const { name, version, license } of parts) {
    if (isAllowed(license, licenses)) continue
    const exception = unusual.find(({ part }) => part === name)
    if (exception && (license === undefined || license === exception.is)) needed.add(name)
    else sentences.push(`${name} ${version} is under ${license ?? 'no license that it names'}`)
  }
  const idle = unusual.filter(({ part }) => !needed.has(part))
  return [...sentences, ...idle.map(({ part }) => `${part} needs no exception any more`)]
}

function isAllowed(license: string | undefined, licenses: readonly string[]): boolean {
  if (!license) return false
  try {
    return satisfies(license, [...licenses])
  } catch {
    // The license isn't an SPDX expression, so an exception has to judge it.
    return false
  }
}
