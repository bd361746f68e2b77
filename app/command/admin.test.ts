import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { addAssessmentCommands } from '../../societies/command/assessments.ts'
import { addSocietyCommands } from '../../societies/command/societies.ts'
import { runCommand } from '../../tests/rig/commands/run-command.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { ADMIN_FILE } from '../../tools/build-server.mjs'

const rig = useRig()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday admin '))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inFolder = (name: string) => path.join(folder, name)

/** Runs `npm run admin -- …` in its own process, from another folder. */
const admin = (args: string[], environment: Record<string, string> = {}) =>
  runCommand([ADMIN_FILE, ...args], {
    ...process.env,
    DATABASE_URL: rig.databaseUrl,
    SECRET_KEY: rig.dependencies.secretKey.toString('base64'),
    // npm sets these, because it runs commands in the project's folder.
    npm_lifecycle_event: 'admin',
    INIT_CWD: folder,
    ...environment,
  })

const YAML = `
code: CLUB
society: Investment Club
session: null
durationSeconds: 900
shuffle: false
navigator: false
timeZone: America/New_York
rules: { timing: [], allowed: [], forbidden: [], contact: null }
items: [{ id: 1, question: Own?, options: { A: a, B: b, C: c, D: d }, answer: A }]`

describe('the admin command', { tags: ['full'], timeout: 120_000 }, () => {
  it('loads a test, exports it into a file that only its owner can read, and logs both', async () => {
    await writeFile(inFolder('club.yaml'), YAML)
    const loaded = await admin(['assessments', 'load', 'club.yaml'])
    expect(loaded).toMatchObject({ status: 0, err: '' })
    expect(loaded.out).toContain('CLUB is loaded: Investment Club, 1 question, 15 min')
    const written = await admin([
      ...['assessments', 'export', 'club', '--format', 'csv', '--out', 'club.csv'],
    ])
    expect(written).toEqual({ status: 0, out: '', err: '1 question written to club.csv.\n' })
    expect((await stat(inFolder('club.csv'))).mode & 0o777).toBe(0o600)
    expect((await admin(['assessments', 'export', 'CLUB', '--format', 'csv'])).out).toBe(
      await readFile(inFolder('club.csv'), 'utf8'),
    )
    const { rows } = await rig.db.$client.query(
      'select distinct actor, action from admin_actions order by action',
    )
    expect(rows.map(({ action }) => action)).toEqual(['export', 'load'])
    expect(rows[0].actor).not.toBe('')
  })

  it.each<[string, string[], RegExp]>([
    [
      'an existing file',
      ['export', 'CLUB', '--format', 'csv', '--out', 'club.csv'],
      /^club.csv already exists and won't be overwritten/,
    ],
    [
      'an unknown code',
      ['export', 'NOPE', '--format', 'csv'],
      /^There is no test with the code NOPE\.$/,
    ],
    [
      'a missing file',
      ['load', 'none.yaml'],
      /^none.yaml can't be read \(there is no such file or folder\)\.$/,
    ],
    [
      'a missing format',
      ['export', 'CLUB'],
      /required option '--format <format>' not specified\n\(add --help/,
    ],
  ])('explains %s in a message and exits with 1', async (_, args, message) => {
    const { status, err } = await admin(['assessments', ...args])
    expect(status).toBe(1)
    expect(err.trim()).toMatch(message)
    expect(err).not.toMatch(/ at .*\.[jt]s:\d/)
  })

  it("creates no invitation under a SECRET_KEY that isn't the server's", async () => {
    await signUp(rig)
    const { status, err } = await admin(
      ['societies', 'create', 'Other Club', '--owner', 'ana@example.com'],
      { SECRET_KEY: randomBytes(32).toString('base64') },
    )
    expect([status, err]).toEqual([1, expect.stringMatching(/^SECRET_KEY differs from the one/)])
    const { rows } = await rig.db.$client.query("select from societies where name = 'Other Club'")
    expect(rows).toEqual([])
  })

  it("warns of a file in the product's own folder", async () => {
    const { status, err } = await admin([
      ...['assessments', 'load'],
      path.join(PROJECT_DIR, 'content/assessments/PCF.yaml'),
    ])
    expect(status).toBe(1)
    expect(err).toMatch(/^Warning: .*PCF.yaml lies in Superday's own folder/)
    expect(err).toMatch(/sample: true marks questions with public keys.*\nNothing was changed\.$/m)
  })
})

describe("the admin command's help", () => {
  const program = new Command()
  // The test only reads their help.
  addAssessmentCommands(program, {} as CommandDatabase)
  addSocietyCommands(program, {} as CommandDatabase)
  const commands = program.commands.flatMap((group) =>
    group.commands.map((command) => [`${group.name()} ${command.name()}`, command] as const),
  )

  it('lists the commands for which the browser has no page', () => {
    expect(commands.map(([name]) => name)).toEqual([
      ...['assessments load', 'assessments export', 'assessments delete-demo'],
      ...['societies create', 'societies invite', 'societies reset-factor', 'societies vouch'],
      'societies list',
    ])
  })

  it.each(commands)('explains %s and has an example', (name, command) => {
    let text = ''
    command.configureOutput({
      writeOut: (piece) => {
        text += piece
      },
    })
    command.outputHelp()
    expect(command.summary()).not.toBe('')
    expect(command.description().length).toBeGreaterThan(40)
    expect(text).toMatch(new RegExp(`Examples?:\\n +npm run admin -- ${name}`))
  })
})
