/** @module-tag full */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  copyDataDir,
  newDataDir,
  query,
  serverPid,
  start,
  startApp,
  startSleeper,
  useEmbedded,
} from '../../../tests/rig/embedded-rig.ts'
import { claimFolder } from './ownership.ts'
import { listServerProcesses, readProcessSpace, readStartTime } from './processes.ts'

useEmbedded()

describe('starts on one data folder', () => {
  test('refuse the second one with the folder and the pid of the first', async () => {
    const dataDir = copyDataDir()
    const app = await startApp(dataDir)
    const refusal = `The data folder ${dataDir} is in use by process ${app.process.pid}`
    await expect(start(dataDir)).rejects.toThrow(refusal)
    await expect(startApp(dataDir)).rejects.toThrow(`EmbeddedPostgresError: ${refusal}`)
    expect(await query(app.database.url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('at the same moment leave one of them running', { tags: ['full'] }, async () => {
    const dataDir = newDataDir()
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => startApp(dataDir)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ])
    const winner = outcomes.find((outcome) => outcome.status === 'fulfilled')?.value
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(String(outcome.reason)).toMatch(`in use by process ${winner?.process.pid}`)
      }
    }
    const names = listServerProcesses('superday-[0-9a-f]+')
    const pid = serverPid(winner?.database.clusterDir ?? '')
    expect(names.postmasters).toContain(pid)
  })

  test('have one winner among many claims, also after a dead owner', async () => {
    for (let round = 0; round < 5; round++) {
      const folder = newDataDir()
      mkdirSync(folder)
      leaveClaim(folder, { startTime: 'of a dead process' })
      const claims = Array.from({ length: 8 }, () => claimFolder(folder, folder))
      const won = (await Promise.allSettled(claims)).filter((c) => c.status === 'fulfilled')
      expect(won).toHaveLength(1)
      won[0]?.value.release()
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test.each<
    [string, { startTime?: string; folder?: string; space?: string; beats?: boolean }, string]
  >([
    ['a living process', {}, 'refused'],
    ['a dead process whose pid another process has', { startTime: '1' }, 'granted'],
    ['an owner that was copied along with the folder', { folder: '1' }, 'granted'],
    ['a container that is gone', { space: 'another container' }, 'granted'],
    ['a container that lives', { space: 'another container', beats: true }, 'refused'],
  ])('handle the claim of %s', async (_name, { beats = false, ...claim }, outcome) => {
    const folder = newDataDir()
    mkdirSync(folder)
    const path = leaveClaim(folder, claim)
    const beat = setInterval(() => beats && utimesSync(path, new Date(), new Date()), 200)
    const claimed = await claimFolder(folder, folder).then(
      (ownership) => {
        ownership.release()
        return 'granted'
      },
      () => 'refused',
    )
    clearInterval(beat)
    expect(claimed).toBe(outcome)
  })

  test.each([
    ['stays when the other name is higher', 'owner-z.json', 'granted'],
    ['gives way when the other name is lower', 'owner-0.json', 'refused'],
  ])('that meet an undecided one %s', async (_rule, name, outcome) => {
    const folder = newDataDir()
    mkdirSync(folder)
    const path = leaveClaim(folder, {}, name, false)
    setTimeout(() => rmSync(path, { force: true }), 100) // the other start withdraws
    const claimed = claimFolder(folder, folder).then(
      () => 'granted',
      () => 'refused',
    )
    expect(await claimed).toBe(outcome)
  })

  function leaveClaim(folder: string, changes: object, name?: string, decided = true): string {
    const path = join(folder, name ?? `owner-${randomUUID()}.json`)
    const pid = startSleeper()
    const claim = {
      pid,
      startTime: readStartTime(pid),
      space: readProcessSpace(),
      folder: String(statSync(folder, { bigint: true }).ino),
    }
    writeFileSync(path, JSON.stringify({ ...claim, ...changes }) + (decided ? '\n' : ''))
    return path
  }
})
