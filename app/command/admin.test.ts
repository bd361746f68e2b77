import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { addAssessmentCommands } from '../../societies/command/assessments.ts'
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

/** `npm run admin -- assessments …` in a process of its own, from a folder elsewhere. */
const admin = (args: string[], environment: Record<string, string> = {}) =>
  runCommand([ADMIN_FILE, 'assessments', ...args], {
    ...process.env,
    DATABASE_URL: rig.databaseUrl,
    SECRET_KEY: rig.dependencies.secretKey.toString('base64'),
    // As npm sets them: it runs commands in the project's folder.
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

describe('the admin command', () => {
  it('runs a whole test day: load, window, roster, status, a test, results', {
    tags: ['full'],
    timeout: 120_000,
  }, async () => {
    // The command has the real clock.
    rig.clock.now = new Date()
    await writeFile(inFolder('club.yaml'), YAML)
    await writeFile(inFolder('roster.csv'), 'username,extra_minutes\nana,\nben,10\n')

    const loaded = await admin(['load', 'club.yaml'])
    expect(loaded).toMatchObject({ status: 0, err: '' })
    expect(loaded.out).toContain('CLUB is loaded: Investment Club, 1 question, 15 min')

    const set = await admin([
      'window',
      'club',
      '--opens',
      '2020-07-01 09:00',
      '--closes',
      '2099-01-01 09:00',
    ])
    expect(set.out).toContain('Wednesday 2020-07-01 09:00 America/New_York (2020-07-01 13:00 UTC)')
    expect(set.out).toContain('Thursday 2099-01-01 09:00 America/New_York (2099-01-01 14:00 UTC)')
    expect(set.out).toMatch(/now: .*, open$/m)

    const added = await admin(['roster', 'CLUB', 'roster.csv', '--out', 'passwords.csv'])
    expect(added.out).toContain('2 candidates added to CLUB, 1 of them with extra time.')
    expect((await stat(inFolder('passwords.csv'))).mode & 0o777).toBe(0o600)
    const text = await readFile(inFolder('passwords.csv'), 'utf8')
    const passwords = parse(text, { columns: true }) as { username: string; password: string }[]
    expect(passwords.map(({ username }) => username)).toEqual(['ana', 'ben'])
    for (const { password } of passwords) expect(added.out + added.err).not.toContain(password)

    const { token } = await signUp(rig)
    const verified = await rig.call('POST', '/api/assessments/CLUB/verify', {
      token,
      body: { ...passwords[1] },
    })
    const headers = { 'X-Candidate-Token': verified.body.candidateToken, 'X-Window-Id': 'w' }
    const attempt = '/api/assessments/CLUB/attempt'
    const { body } = await rig.call('POST', attempt, { token, headers, body: { windowId: 'w' } })
    expect(body.remainingMs).toBe(1_500_000)
    const answers = [{ questionId: body.questions[0].id, choice: 'A', revision: 1 }]
    await rig.call('POST', `${attempt}/submit`, { token, headers, body: { answers } })

    const status = await admin(['status', 'CLUB'])
    expect(status.out).toContain('2 candidates: 1 not here yet')
    expect(status.out).toMatch(/ben +1 of 1 +0 +candidate/)

    const shown = await admin(['results', 'CLUB'])
    expect(shown.out).toBe('user,correct,incorrect,time,cheated\nben,1,0,00:00,false\n')
    const written = await admin(['results', 'CLUB', '--out', 'results.csv'])
    expect(written.out).toBe('')
    expect(await readFile(inFolder('results.csv'), 'utf8')).toBe(shown.out)

    const { rows } = await rig.db.$client.query(
      'select distinct actor, action from admin_actions order by action',
    )
    expect(rows.map(({ action }) => action)).toEqual(['load', 'results', 'roster', 'window'])
    expect(rows[0].actor).not.toBe('')
  })

  it.each<[string, string[], RegExp]>([
    [
      'an existing file of passwords',
      ['roster', 'CLUB', 'roster.csv', '--out', 'roster.csv'],
      /^roster.csv exists already and is not written over/,
    ],
    [
      'names that exist',
      ['roster', 'CLUB', 'roster.csv', '--out', 'new.csv'],
      /^line 2: ana is on the roster of CLUB already\nline 3: ben .*\nNothing was changed\.$/,
    ],
    ['an unknown code', ['status', 'NOPE'], /^There is no assessment NOPE; there are: CLUB\.$/],
    [
      'a missing file',
      ['load', 'none.yaml'],
      /^none.yaml can't be read \(there is no such file or folder\)\.$/,
    ],
    [
      'two rulings',
      ['regrade', 'CLUB', '--item', '1', '--accept', 'B', '--void', '--reason', 'x'],
      /^Please give one of --accept OPTION, --replace OPTION, --void, --full-marks and --withdraw\.$/,
    ],
    [
      'a missing reason',
      ['extend', 'CLUB', '5'],
      /required option '--reason <text>' not specified\n\(add --help/,
    ],
  ])(
    'explains %s in words and exits with 1',
    {
      tags: ['full'],
    },
    async (_, args, message) => {
      const { status, err } = await admin(args)
      expect(status).toBe(1)
      expect(err.trim()).toMatch(message)
      expect(err).not.toMatch(/ at .*\.[jt]s:\d/)
    },
  )

  it('leaves no empty file behind when it produced nothing', { tags: ['full'] }, async () => {
    await expect(stat(inFolder('new.csv'))).rejects.toThrow()
    expect(await readFile(inFolder('roster.csv'), 'utf8')).toMatch(/^username,extra_minutes\n/)
  })

  it("makes no passwords under a SECRET_KEY that isn't the server's", {
    tags: ['full'],
  }, async () => {
    await writeFile(inFolder('more.csv'), 'username\ncarla\n')
    const { status, err } = await admin(['roster', 'CLUB', 'more.csv', '--out', 'lost.csv'], {
      SECRET_KEY: randomBytes(32).toString('base64'),
    })
    expect([status, err]).toEqual([1, expect.stringMatching(/^SECRET_KEY is not the one/)])
    const { rows } = await rig.db.$client.query("select 1 from candidates where username = 'carla'")
    expect(rows).toEqual([])
    await expect(stat(inFolder('lost.csv'))).rejects.toThrow()
  })

  it("warns of a file in the product's own folder", { tags: ['full'] }, async () => {
    const { status, err } = await admin([
      'load',
      path.join(PROJECT_DIR, 'content/assessments/PCF.yaml'),
    ])
    expect(status).toBe(1)
    expect(err).toMatch(/^Warning: .*PCF.yaml lies in Superday's own folder/)
    expect(err).toMatch(
      /sample: true marks questions whose keys everybody can read.*\nNothing was changed\.$/m,
    )
  })
})

describe("the admin command's help", () => {
  const COMMANDS = [
    'load',
    'publish',
    'copy',
    'list',
    'window',
    'roster',
    'reset',
    'revoke',
    'import',
    'export',
    'extra-time',
    'exempt',
    'void-event',
    'reopen',
    'status',
    'extend',
    'results',
    'answers',
    'events',
    'regrade',
    'delete',
  ]
  const program = new Command()
  // Only its help is asked for.
  const nowhere = {} as CommandDatabase
  addAssessmentCommands(program, nowhere)
  const [assessments] = program.commands

  it('names every command with a summary', () => {
    expect(assessments?.commands.map((command) => command.name())).toEqual(COMMANDS)
    for (const command of assessments?.commands ?? []) expect(command.summary()).not.toBe('')
  })

  it.each(COMMANDS)('explains %s and has an example', (name) => {
    const command = assessments?.commands.find((one) => one.name() === name)
    let text = ''
    command?.configureOutput({
      writeOut: (piece) => {
        text += piece
      },
    })
    command?.outputHelp()
    expect(command?.description().length).toBeGreaterThan(40)
    expect(text).toMatch(new RegExp(`Examples?:\\n +npm run admin -- assessments ${name}`))
  })
})
