import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { minVersion, satisfies, subset } from 'semver'
import { describe, expect, it } from 'vitest'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import {
  askRegistry,
  checkAdvisories,
  checkLicenses,
  readAnswer,
  readParts,
  readRules,
} from './parts.ts'

const manifest = JSON.parse(readFileSync(path.join(PROJECT_DIR, 'package.json'), 'utf8'))
const rules = readRules()
const parts = readParts()

describe('licenses of dependencies', () => {
  it('are all allowed, and no exception is unused', () => {
    expect(parts.length).toBeGreaterThan(500)
    expect(checkLicenses(parts, rules)).toEqual([])
  })

  it.each<[string, { license?: string }, string[]]>([
    ['a listed license', { license: 'MIT' }, []],
    ['a choice that includes a listed one', { license: '(MIT OR GPL-3.0-or-later)' }, []],
    [
      'a pair with an unlisted one',
      { license: '(MIT AND GPL-3.0-only)' },
      ['x 1.0.0 is under (MIT AND GPL-3.0-only)'],
    ],
    ['an unlisted license', { license: 'AGPL-3.0-only' }, ['x 1.0.0 is under AGPL-3.0-only']],
    ['free text', { license: 'ask me' }, ['x 1.0.0 is under ask me']],
    ['no license', {}, ['x 1.0.0 is under no license that it names']],
  ])('are judged correctly for %s', (_, part, sentences) => {
    const checked = checkLicenses([{ name: 'x', version: '1.0.0', ...part }], {
      licenses: ['MIT'],
      unusual: [],
    })
    expect(checked).toEqual(sentences)
  })

  it('of an exception match the named ones and an installed dependency', () => {
    const unusual = [{ part: 'x', is: 'WTFPL', because: 'words for the spelling check' }]
    const check = (name: string, license?: string) =>
      checkLicenses([{ name, version: '1.0.0', ...(license ? { license } : {}) }], {
        licenses: ['MIT'],
        unusual,
      })
    expect(check('x', 'WTFPL')).toEqual([])
    expect(check('x', 'AGPL-3.0-only')).toEqual([
      'x 1.0.0 is under AGPL-3.0-only',
      'x needs no exception any more',
    ])
    expect(check('y', 'MIT')).toEqual(['x needs no exception any more'])
  })
})

describe('the supported Node versions', () => {
  it('of every dependency include the oldest that package.json allows, so npm ci does not warn', () => {
    const oldest = String(manifest.engines.node)
      .split('||')
      .map((range) => String(minVersion(range)))
    expect(oldest).toEqual(['20.19.0', '22.13.0', '24.0.0'])
    const refusing = parts.flatMap(({ name, version, engines }) =>
      oldest
        .filter((node) => engines?.node && !satisfies(node, engines.node))
        .map((node) => `${name} ${version} refuses Node ${node}`),
    )
    expect(refusing).toEqual([])
  })

  it('include the version of the container image', () => {
    const dockerfile = readFileSync(path.join(PROJECT_DIR, 'Dockerfile'), 'utf8')
    const version = /^ARG NODE_IMAGE=\S+:([\d.]+)-/m.exec(dockerfile)?.[1] ?? ''
    expect(subset(version, manifest.engines.node)).toBe(true)
  })
})

describe('the bill of materials', () => {
  it('names every direct dependency with its version and license', {
    tags: ['full'],
    timeout: 60_000,
  }, () => {
    const made = execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: PROJECT_DIR,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64e6,
      shell: process.platform === 'win32',
    })
    const { bomFormat, components } = JSON.parse(made) as {
      bomFormat: string
      components: { purl: string; licenses?: unknown[] }[]
    }
    expect(bomFormat).toBe('CycloneDX')
    const licensed = new Set(
      components.filter(({ licenses }) => licenses?.length).map(({ purl }) => purl),
    )
    const missing = Object.entries<string>({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    })
      // An alias is listed under its package's name.
      .map(([name, version]) => /^npm:(.*)$/.exec(version)?.[1] ?? `${name}@${version}`)
      .map((part) => `pkg:npm/${part.replace(/^@/, '%40')}`)
      .filter((purl) => !licensed.has(purl))
    expect(missing).toEqual([])
  })
})

const REPORT = {
  auditReportVersion: 2,
  vulnerabilities: {
    deep: {
      name: 'deep',
      via: [
        {
          source: 1,
          title: 'reads too far',
          url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
          severity: 'high',
        },
      ],
    },
    top: { name: 'top', via: ['deep'] },
  },
}

describe('known vulnerabilities', () => {
  const NOW = new Date('2026-11-23T10:00:00Z')
  const judged = (until: string, id = 'GHSA-aaaa-bbbb-cccc') => [
    { id, until, because: 'it reads nothing of ours' },
  ]
  const sentence = 'deep: reads too far (high, GHSA-aaaa-bbbb-cccc)'

  it.each<[string, ReturnType<typeof judged>, string[]]>([
    ['without a judgment are reported', [], [sentence]],
    ['with a judgment pass, on its last day too', judged('2026-11-23'), []],
    [
      'are reported again after that day',
      judged('2026-11-22'),
      [`${sentence}: judged until 2026-11-22`],
    ],
    [
      'must not have an unused judgment',
      [...judged('2026-12-01'), ...judged('2026-12-01', 'GHSA-dddd-eeee-ffff')],
      ['GHSA-dddd-eeee-ffff is not reported any more: remove it'],
    ],
  ])('%s', (_, judgments, sentences) => {
    const answer = readAnswer(JSON.stringify(REPORT))
    if (!('report' in answer)) throw new Error('no report')
    expect(checkAdvisories(answer.report, judgments, NOW)).toEqual(sentences)
  })

  it('are not assumed absent when the registry does not answer', () => {
    const failure = {
      message: '405 Method Not Allowed - POST https://registry.example/-/npm/v1/security',
      statusCode: 405,
    }
    expect(readAnswer(JSON.stringify(failure))).toEqual({ unreachable: failure.message })
    expect(() => readAnswer('{}')).toThrow()
  })

  // This test asks the registry.
  it('of the installed dependencies all have a judgment', {
    tags: ['full'],
    timeout: 40_000,
  }, async (context) => {
    const answer = await askRegistry(PROJECT_DIR)
    if ('unreachable' in answer) {
      const words = `NOT CHECKED for known weaknesses: the registry's audit could not be asked (${answer.unreachable.replace(/https?:\/\/\S+/, 'its address')}). Run npm audit where it can.`
      console.warn(words)
      return context.skip(words)
    }
    expect(checkAdvisories(answer.report, rules.advisories, new Date())).toEqual([])
  })
})
