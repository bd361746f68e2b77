import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CommandDatabase } from '../../platform/command/command-database.ts'
import { DAY, moveClock, startedSeat } from '../../tests/rig/assessment-rig.ts'
import { auditOf, rightAnswers, typeCommand } from '../../tests/rig/organiser-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'
import { addAssessmentCommands } from './assessments.ts'

const rig = useRig()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday-audit-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => {
  rig.clock.now = DAY
})

const YAML = `
code: AUDIT
society: Club
session: null
durationSeconds: 900
shuffle: false
navigator: false
timeZone: UTC
rules: { timing: [], allowed: [], forbidden: [], contact: null }
items: [{ id: 1, question: Own?, options: { A: a, B: b, C: c, D: d }, answer: A }]`

/** Every command, and whether it leaves a note in the audit log (product 7.1.2). */
const COMMANDS: Record<string, { args: string; isNoted: boolean }> = {
  load: { args: 'load FOLDER/audit.yaml', isNoted: true },
  publish: { args: 'publish CODE', isNoted: true },
  // Noted with the copy, whose first act it is.
  copy: { args: 'copy CODE COPY', isNoted: true },
  list: { args: 'list', isNoted: false },
  window: { args: 'window CODE --closes none', isNoted: true },
  roster: { args: 'roster CODE FOLDER/roster.csv --out FOLDER/passwords.csv', isNoted: true },
  reset: { args: 'reset CODE ana', isNoted: true },
  revoke: { args: 'revoke CODE ana', isNoted: true },
  // A review is a look; adding them (--into) is noted: import-questions.test.ts.
  import: { args: 'import FOLDER/one.gift', isNoted: false },
  export: { args: 'export CODE --format gift', isNoted: true },
  'extra-time': { args: 'extra-time CODE ana 5', isNoted: true },
  exempt: { args: 'exempt CODE ana paste', isNoted: true },
  'void-event': { args: 'void-event CODE EVENT --reason alarm', isNoted: true },
  reopen: { args: 'reopen CODE ana --minutes 5 --reason alarm', isNoted: true },
  status: { args: 'status CODE', isNoted: false },
  extend: { args: 'extend CODE 5 --reason alarm', isNoted: true },
  results: { args: 'results CODE', isNoted: true },
  answers: { args: 'answers CODE', isNoted: true },
  events: { args: 'events CODE', isNoted: true },
  regrade: { args: 'regrade CODE --item 1 --accept B --reason both', isNoted: true },
  delete: { args: 'delete CODE --confirm CODE', isNoted: true },
}

const countNotes = async () =>
  (await rig.db.$client.query('select from admin_actions')).rowCount ?? 0

describe('the audit log test', () => {
  it('covers every command', () => {
    const program = new Command()
    addAssessmentCommands(program, {} as CommandDatabase)
    const names = program.commands[0]?.commands.map((command) => command.name())
    expect(Object.keys(COMMANDS)).toEqual(names)
  })

  it.each(Object.entries(COMMANDS))(
    'finds the right entry for the command %s',
    async (name, { args, isNoted }) => {
      const { seat, code, candidate, items } = await startedSeat(rig)
      await rig.db.$client.query("update candidates set username = 'ana' where id = $1", [
        candidate.id,
      ])
      await seat.report({ id: 1, kind: 'copy', at: 0 })
      await moveClock(rig, 1_000)
      if (name === 'reopen' || name === 'delete') await seat.submit(rightAnswers(items))
      if (name === 'publish' || name === 'delete') {
        await rig.db.$client.query(
          'update assessments set is_draft = $2, closes_at = $3 where code = $1',
          [code, name === 'publish', name === 'delete' ? DAY : null],
        )
      }
      const { rows } = await rig.db.$client.query(
        "select id from attempt_events where candidate_id = $1 and kind = 'copy'",
        [candidate.id],
      )
      await writeFile(path.join(folder, 'audit.yaml'), YAML)
      await writeFile(path.join(folder, 'roster.csv'), 'username\nben\n')
      await writeFile(path.join(folder, 'one.gift'), 'Why? {=a ~b ~c ~d}')
      const typed = args
        .replaceAll('CODE', code)
        .replaceAll('FOLDER', folder)
        .replace('EVENT', rows[0]?.id)

      const before = await countNotes()
      const { refusal } = await typeCommand(rig, ...typed.split(' '))

      expect(refusal).toBeNull()
      const noted = await auditOf(rig, { load: 'AUDIT', copy: 'COPY' }[name] ?? code)
      expect(noted.map(({ action }) => action)).toEqual(isNoted ? [name] : [])
      // A note without an assessment would be one too.
      expect((await countNotes()) - before).toBe(isNoted ? 1 : 0)
    },
  )

  it('finds no entry for a refused command', async () => {
    const { code } = await startedSeat(rig)
    const before = await countNotes()
    const { refusal } = await typeCommand(rig, 'extra-time', code, 'nobody', '5')
    expect(refusal).toBe(`There is no candidate nobody in ${code}.`)
    expect(await countNotes()).toBe(before)
  })
})
