import satisfies from 'spdx-satisfies'
import type { Part, PartRules } from './parts.ts'

/** A sentence for each part that may not be used as it is, and for each exception that nothing needs. */
export function checkLicences(
  parts: readonly Part[],
  { licences, unusual }: Pick<PartRules, 'licences' | 'unusual'>,
): string[] {
  const sentences: string[] = []
  const needed = new Set<string>()
  for (const { name, version, license } of parts) {
    if (isAllowed(license, licences)) continue
    const exception = unusual.find(({ part }) => part === name)
    if (exception && (license === undefined || license === exception.is)) needed.add(name)
    else sentences.push(`${name} ${version} is under ${license ?? 'no licence that it names'}`)
  }
  const idle = unusual.filter(({ part }) => !needed.has(part))
  return [...sentences, ...idle.map(({ part }) => `${part} needs no exception any more`)]
}

function isAllowed(license: string | undefined, licences: readonly string[]): boolean {
  if (!license) return false
  try {
    return satisfies(license, [...licences])
  } catch {
    // Words of its own, not of SPDX: an exception has to judge them.
    return false
  }
}
