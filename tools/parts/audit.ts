import { spawn } from 'node:child_process'
import { z } from 'zod'
import type { PartRules } from './parts.ts'

const advisorySchema = z.object({ title: z.string(), url: z.string(), severity: z.string() })
const reportSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    // A name says that the weakness lies in another part of the report.
    z.object({ via: z.array(z.union([z.string(), advisorySchema])) }),
  ),
})
const failureSchema = z.object({ message: z.string() })

/** What `npm audit --json` has said: a report, or why there is none. */
export type AuditAnswer = { report: z.output<typeof reportSchema> } | { unreachable: string }

/** Errors: ZodError when npm says neither. */
export function readAnswer(text: string): AuditAnswer {
  const said = JSON.parse(text)
  const report = reportSchema.safeParse(said)
  if (report.success) return { report: report.data }
  return { unreachable: failureSchema.parse(said).message }
}

/** Asks the registry of this machine's npm about what package-lock.json names; half a minute at most. */
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
      if (status === null || text === '') resolve({ unreachable: 'no answer in 30 s' })
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
 * A sentence for each weakness that nobody has judged, and for each judgement that has run out or is idle.
 * @param now decides which judgements have run out
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
    const judgement = judged.find((one) => one.id === id)
    if (!judgement) sentences.push(sentence)
    else if (judgement.until < today) sentences.push(`${sentence}: judged until ${judgement.until}`)
  }
  const idle = judged.filter(({ id }) => !found.has(id))
  return [...sentences, ...idle.map(({ id }) => `${id} is not reported any more: take it out`)]
}
