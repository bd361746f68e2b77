import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  takeSeat,
} from '../../../../tests/rig/assessment-rig.ts'
import { organizerOf, problemsOf, resultsIn } from '../../../../tests/rig/organizer-rig.ts'
import { yamlOf } from '../../../../tests/rig/questions/questions-rig.ts'
import { signUp, useRig } from '../../../../tests/rig/rig.ts'
import {
  deleteDemoData,
  loadSamples,
  requireNoDemoData,
  resetDemoCandidates,
} from '../../../server/demo.ts'
import { readSampleFiles, SAMPLES_DIR } from './assessment-file.ts'
import { loadAssessment } from './load-assessment.ts'

const rig = useRig({}, DAY)

describe('samples and demo candidates', () => {
  const codes = ['ESFS_AFTERNOON', 'ESFS_MORNING', 'PCF']
  const reset = () =>
    resetDemoCandidates(rig.db, { secretKey: rig.dependencies.secretKey, now: rig.clock.now })
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'superday-samples-'))
    await cp(SAMPLES_DIR, folder, { recursive: true })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('are loaded once when several nodes start at the same time', async () => {
    const loads = await Promise.all([1, 2, 3].map(() => loadSamples(rig.db, DAY, folder)))
    expect(loads.flatMap(({ loaded }) => loaded).sort()).toEqual(codes)
    expect(await loadSamples(rig.db, DAY, folder)).toEqual({ loaded: [], kept: [] })
    const rows = await rig.sql`
      select code, session, duration_seconds, shuffle, navigator, a.is_sample, count(i.id)::int as items,
        bool_and(i.is_sample) as sample_items
      from assessments a join assessment_items i on i.assessment = code group by code order by code`
    const both = { is_sample: true, sample_items: true }
    const esfs = { duration_seconds: 1200, shuffle: true, navigator: true, items: 20, ...both }
    const pcf = { duration_seconds: 1800, shuffle: false, navigator: false, items: 30, ...both }
    expect(rows).toEqual([
      { code: 'ESFS_AFTERNOON', session: 'Afternoon', ...esfs },
      { code: 'ESFS_MORNING', session: 'Morning', ...esfs },
      { code: 'PCF', session: null, ...pcf },
    ])
  })

  it('get a fresh candidate at each start, and the previous attempt is deleted', async () => {
    const first = await reset()
    expect(first.map(({ code, username }) => [code, username])).toEqual(
      codes.map((code) => [code, 'demo']),
    )
    const [afternoon] = first
    const { token } = await signUp(rig)
    const sit = async (password: string) => {
      const verified = await rig.call('POST', '/api/assessments/ESFS_AFTERNOON/verify', {
        token,
        body: { username: 'demo', password },
      })
      if (verified.status !== 200) return verified
      return rig.call('POST', '/api/assessments/ESFS_AFTERNOON/attempt', {
        token,
        headers: { 'X-Candidate-Token': verified.body.candidateToken },
        body: { windowId: 'w' },
      })
    }
    expect((await sit(afternoon?.password ?? '')).body.questions).toHaveLength(20)
    const second = await reset()
    expect((await sit(afternoon?.password ?? '')).status).toBe(401)
    expect((await sit(second[0]?.password ?? '')).body.remainingMs).toBe(1_200_000)
    await rig.sql`
      update attempts set submitted_at = deadline_at, submit_reason = 'deadline' where assessment = 'ESFS_AFTERNOON'`
    expect(await resultsIn(rig, 'ESFS_AFTERNOON')).toEqual([])
    const rows = await rig.sql`
      select count(*)::int as count, bool_and(is_demo) as demo from attempts`
    expect(rows).toEqual([{ count: 1, demo: true }])
  })

  it('use another name when the list has a candidate called demo', async () => {
    await rig.sql`delete from candidates where assessment = 'PCF' and is_demo`
    await makeCandidate(rig, 'PCF', 'Demo')
    expect((await reset()).find(({ code }) => code === 'PCF')?.username).toBe('demo-2')
    expect((await reset()).find(({ code }) => code === 'PCF')?.username).toBe('demo-2')
    const names = await rig.sql`select username from candidates where assessment = 'PCF' order by 1`
    expect(names.map(({ username }) => username)).toEqual(['Demo', 'demo-2'])
  })

  it('follow a changed file unless a listed candidate has started', async () => {
    for (const code of ['PCF', 'ESFS_AFTERNOON']) {
      const file = path.join(folder, `${code}.yaml`)
      await writeFile(file, (await readFile(file, 'utf8')).replace(/contact: .*/, 'contact: new'))
    }
    await (await takeSeat(rig, 'PCF', (await makeCandidate(rig, 'PCF', 'sat')).username)).start()
    expect(await loadSamples(rig.db, DAY, folder)).toEqual({
      loaded: ['ESFS_AFTERNOON'],
      kept: ['PCF'],
    })
  })

  it('are refused in production, with advice, until they are removed', async () => {
    await expect(requireNoDemoData(rig.db)).rejects.toThrow(
      /^The database holds sample questions.*ESFS_AFTERNOON, ESFS_MORNING, PCF\.\nDelete both with npm run admin -- assessments delete-demo/,
    )
    await rig.sql`update attempts set submitted_at = deadline_at, submit_reason = 'deadline'`
    expect((await deleteDemoData(organizerOf(rig))).samples).toEqual(codes)
    await expect(requireNoDemoData(rig.db)).resolves.toBeUndefined()
  })

  it('are refused in production for their items, or for a demo candidate', async () => {
    const { code, items } = await makeAssessment(rig)
    await expect(requireNoDemoData(rig.db)).resolves.toBeUndefined()
    await rig.sql`update assessment_items set is_sample = true where id = ${items[0]?.id}`
    await expect(requireNoDemoData(rig.db)).rejects.toThrow(/sample questions/)
    await rig.sql`update assessment_items set is_sample = false where id = ${items[0]?.id}`
    await reset()
    await expect(requireNoDemoData(rig.db)).rejects.toThrow(
      new RegExp(`^The database holds demo candidates.*${code}`),
    )
    expect(await deleteDemoData(organizerOf(rig))).toEqual({ samples: [], candidates: 1 })
    await expect(requireNoDemoData(rig.db)).resolves.toBeUndefined()
  })

  it("never replace a society's own test with the same code", async () => {
    const [sample] = await readSampleFiles()
    const yaml = yamlOf(sample?.code ?? '', 'Own')
    await loadAssessment(organizerOf(rig), { yaml })
    const { loaded } = await loadSamples(rig.db, DAY)
    expect(loaded).not.toContain(sample?.code)
    const rows = await rig.sql`select society from assessments where code = ${sample?.code}`
    expect(rows).toEqual([{ society: 'Own' }])
  })

  it('prevent the server from starting if a sample file is broken, and name the file', async () => {
    await writeFile(path.join(folder, 'BROKEN.yaml'), 'code: OTHER')
    const problems = await problemsOf(() => loadSamples(rig.db, DAY, folder))
    expect(problems[0]).toMatch(/^assessments\/BROKEN.yaml: society: /)
  })
})
