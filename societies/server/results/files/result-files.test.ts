import { randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../tests/rig/organiser-rig.ts'
import { satTest } from '../../../../tests/rig/results-rig.ts'
import { useRig } from '../../../../tests/rig/rig.ts'
import { proveAgain } from '../../../../tests/rig/society-rig.ts'
import { memberOf } from '../../action.ts'
import { writeResultFile } from './result-files.ts'

const rig = useRig()

/** An owner of the test, as the file's functions know who acts. */
async function taking(rights: readonly number[]) {
  const test = await satTest(rig, rights)
  const organiser = {
    ...memberOf({ db: rig.db, now: () => rig.clock.now })({
      ...{ id: '00000000-0000-4000-8000-000000000000', email: 'ana@example.com' },
    } as never),
    userId: undefined as never,
  }
  const take = (asked: Parameters<typeof writeResultFile>[2]) =>
    writeResultFile(organiser, test.code, asked)
  return { ...test, take }
}

/** A strike of a candidate, which somebody has decided about. */
async function decided(candidate: string | undefined, verdict: string, reason: string) {
  const { rows } = await rig.db.$client.query<{ id: string }>(
    `insert into attempt_events (candidate_id, attempt_id, kind, number, is_violation, at_ms, received_at)
     select candidate_id, id, 'copy', 1, true, 61000, started_at + interval '61 seconds'
     from attempts where candidate_id = $1 returning id`,
    [candidate],
  )
  await rig.db.$client.query(
    `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, decided_at)
     values (gen_random_uuid(), $1, 'event:' || $2, $3, $4, 'Ben', $5)`,
    [candidate, rows[0]?.id, verdict, reason, rig.clock.now],
  )
}

async function textOf(pdf: Uint8Array | string): Promise<string> {
  const read = await getDocument({ data: Uint8Array.from(pdf as Uint8Array), verbosity: 0 }).promise
  const pages = Array.from({ length: read.numPages }, async (_, at) => {
    const { items } = await (await read.getPage(at + 1)).getTextContent()
    return items.map((item) => ('str' in item ? item.str : '')).join(' ')
  })
  return (await Promise.all(pages)).join('\n').replace(/\s+/g, ' ')
}

describe('the result files', () => {
  it('include a CSV file with the names', async () => {
    const { take, code } = await taking([3, 0])
    const written = await take({ file: 'csv' })
    expect(written).toEqual({
      name: `${code}-results.csv`,
      mediaType: 'text/csv; charset=utf-8',
      content:
        'user,correct,incorrect,time,cheated\nsat.0,3,1,10:00,false\nsat.1,0,4,10:01,false\n',
    })
  })

  it('have numbers in place of names in the CSV without names', async () => {
    const { take } = await taking([3])
    expect((await take({ file: 'csv_without_names' })).content).toBe(
      'number,correct,incorrect,time,cheated\n1,3,1,10:00,false\n',
    )
  })

  it('leave out hidden scores in a file without names', async () => {
    const { take, sat, code } = await taking([3, 1])
    await rig.db.$client.query(
      `insert into incident_reports (id, assessment, candidate_id, happened_at, note, reported_by, reported_at)
       values ($1, $2, $3, $4, 'Whispered.', 'ben', $4)`,
      [randomUUID(), code, sat[0]?.id, rig.clock.now],
    )
    expect((await take({ file: 'csv_without_names' })).content).toMatch(
      /^number,correct,incorrect,time,cheated\n[12],1,3,10:01,false\n$/,
    )
    const parts = unzipSync((await take({ file: 'workbook_without_names' })).content as Uint8Array)
    const rows = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array).match(/<row /g)
    expect(rows).toHaveLength(1 + 1)
    expect((await take({ file: 'csv' })).content).toContain('sat.0,3,1')
  })

  it('never run a name that is a formula', async () => {
    const { take, sat } = await taking([3])
    await rig.db.$client.query(`update candidates set username = $2, name = $2 where id = $1`, [
      ...[sat[0]?.id, '=HYPERLINK("x")'],
    ])
    expect((await take({ file: 'csv' })).content).toContain(`\n"'=HYPERLINK(""x"")",3,1,`)
    const parts = unzipSync((await take({ file: 'workbook' })).content as Uint8Array)
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(sheet).toContain(
      '<c r="A2" s="2" t="inlineStr"><is><t xml:space="preserve">=HYPERLINK(&quot;x&quot;)</t>',
    )
    expect(sheet).toContain('<c r="D2"><v>3</v></c>')
    expect(sheet).not.toContain('<f')
  })

  it('include a workbook with results, answers and decisions; without names nothing identifies a candidate', async () => {
    const { take, sat } = await taking([3, 1])
    await decided(sat[0]?.id, 'cleared', 'Surname was ill')
    const sheetsOf = (content: string | Uint8Array) =>
      Object.entries(unzipSync(content as Uint8Array))
        .filter(([name]) => name.includes('sheet'))
        .map(([, bytes]) => strFromU8(bytes))
    const whole = sheetsOf((await take({ file: 'workbook' })).content).join()
    for (const text of ['sat.0', 'Name 0 Surname', 'Room 2.11', 'Surname was ill', 'cleared']) {
      expect(whole).toContain(text)
    }
    const covered = sheetsOf((await take({ file: 'workbook_without_names' })).content)
    expect(covered).toHaveLength(3)
    expect(covered[1]?.match(/<row /g)).toHaveLength(1 + 2 * 4)
    const text = covered.join()
    expect(text).toContain('Copied, once.')
    expect(text).not.toContain('event:')
    for (const secret of ['sat.', 'Surname', 'Room', 'student', sat[0]?.reference as string]) {
      expect(text).not.toContain(secret)
    }
  })

  it('include a result sheet with score in words, decisions and receipt, but no rank', async () => {
    const { take, sat, code } = await taking([3, 1])
    await decided(sat[0]?.id, 'upheld', 'Copied twice')
    const written = await take({ file: 'sheet', candidate: sat[0]?.id ?? '' })
    expect(written.name).toBe(`${code}-sat.0-${sat[0]?.reference}.pdf`)
    const text = await textOf(written.content)
    for (const told of [
      ...['Name 0 Surname', '3 of 4', '10:00', 'of 20:00', 'A test like this is not exact'],
      ...[
        'Copied, once.',
        'upheld',
        'Copied twice',
        'Ben',
        `Reference ${sat[0]?.reference}`,
        'by the candidate',
      ],
    ]) {
      expect(text).toContain(told)
    }
    expect(text).not.toContain('Name 1')
    expect(text.toLowerCase()).not.toContain('rank')
  })

  it('combine all sheets in one PDF or a zip', { tags: ['full'] }, async () => {
    const { take, sat } = await taking([3, 1])
    const one = await textOf((await take({ file: 'sheets' })).content)
    expect(one).toContain('Name 0 Surname')
    expect(one).toContain('Name 1 Surname')
    const zip = unzipSync((await take({ file: 'sheets_zip' })).content as Uint8Array)
    expect(Object.keys(zip).sort()).toEqual(
      sat.map(({ username, reference }) => `${username}-${reference}.pdf`),
    )
  })

  it('are logged each with the scope and the count', async () => {
    const { take, sat, code } = await taking([3, 1])
    await take({ file: 'csv' })
    await take({ file: 'csv_without_names' })
    await take({ file: 'sheet', candidate: sat[1]?.id ?? '' })
    expect((await auditOf(rig, code)).map(({ action, detail }) => [action, detail])).toEqual([
      ['results', { count: 2 }],
      ['export-results-without-names', { file: 'csv_without_names', count: 2 }],
      ['export-results', { file: 'sheet', count: 1, username: 'sat.1' }],
    ])
  })

  it('are without names for a reviewer, and need re-authentication', async () => {
    const { member } = await satTest(rig, [3, 1])
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    const files = (file: string) => ({ file })
    expect((await reviewer('POST', '/files', files('csv'))).body.code).toBe('without_names_only')
    expect((await reviewer('POST', '/files', files('csv_without_names'))).status).toBe(200)
    expect((await owner('POST', '/files', files('csv'))).status).toBe(200)
    expect((await owner('POST', '/files', files('sheet'))).body.code).toBe('whose_sheet')
    rig.clock.now = new Date(rig.clock.now.getTime() + 6 * 60_000)
    expect((await owner('POST', '/files', files('csv'))).body.code).toBe('fresh_proof_required')
    await proveAgain(rig)
    expect((await owner('POST', '/files', files('csv'))).status).toBe(200)
  })
})
