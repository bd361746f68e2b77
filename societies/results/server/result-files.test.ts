import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { auditOf, organizerOf } from '../../../tests/rig/organizer-rig.ts'
import { decide, pdfText, reportIncident, satTest } from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { proveAgain } from '../../../tests/rig/society-rig.ts'
import type { ResultFile } from '../contract.ts'
import { regradeItem } from './regrade.ts'
import { writeResultFile } from './result-files.ts'

const rig = useRig()

/** Makes an owner of the test to pass to the export functions. */
async function taking(rights: readonly number[]) {
  const test = await satTest(rig, rights)
  const [{ societyId }] = await rig.sql`
    select society_id as "societyId" from assessments where code = ${test.code}`
  const organizer = {
    ...{ ...organizerOf(rig), code: test.code },
    ...{ extent: 'all' as const, societyId },
  }
  const take = (file: ResultFile, part?: number) => writeResultFile(organizer, { file, part })
  return { ...test, take }
}

/** Adds a strike for a candidate with a reviewer's decision. */
async function decided(
  candidate: string | undefined,
  verdict: 'cleared' | 'upheld',
  reason: string,
) {
  const rows = await rig.sql`
    insert into attempt_events (candidate_id, attempt_id, kind, number, is_violation, at_ms, received_at)
     select candidate_id, id, 'copy', 1, true, 61000, started_at + interval '61 seconds'
     from attempts where candidate_id = ${candidate} returning id`
  await decide(rig, candidate, `event:${rows[0]?.id}`, verdict, reason)
}

describe('the result files', () => {
  it('have numbers instead of names and no hidden scores in the CSV without names', async () => {
    const { take, sat, code } = await taking([3, 1])
    const head = 'number,correct,incorrect,minutes,cheated,excluded'
    await rig.sql`insert into ranking_exclusions (candidate_id, reason, excluded_by, excluded_at)
      values (${sat[0]?.id}, 'Sat for a friend.', 'ana', now())`
    const { content } = await take('csv_without_names')
    const [first, ...lines] = String(content).trim().split('\n')
    expect([first, ...lines.map((line) => line.slice(1)).sort()]).toEqual([
      ...[head, ',1,3,10,false,false', ',3,1,10,false,true'],
    ])
    await reportIncident(rig, code, sat[0]?.id)
    expect((await take('csv_without_names')).content).toMatch(
      new RegExp(`^\ufeff${head}\\n[12],1,3,10,false,false\\n$`),
    )
    const parts = unzipSync((await take('workbook')).content as Uint8Array)
    const rows = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array).match(/<row /g)
    expect(rows).toHaveLength(1 + 2)
    expect((await auditOf(rig, code)).map(({ action, detail }) => [action, detail])).toEqual([
      ['export-results-without-names', { file: 'csv_without_names', count: 2 }],
      ['export-results-without-names', { file: 'csv_without_names', count: 1 }],
      ['export-results', { file: 'workbook', count: 2 }],
    ])
  })

  it('never run a name that looks like a formula', async () => {
    const { take, sat } = await taking([3])
    const evil = '=HYPERLINK("x")'
    await rig.sql`update candidates set username = ${evil}, name = ${evil} where id = ${sat[0]?.id}`
    const parts = unzipSync((await take('workbook')).content as Uint8Array)
    const sheet = strFromU8(parts['xl/worksheets/sheet2.xml'] as Uint8Array)
    expect(sheet).toContain(
      '<c r="A2" s="2" t="inlineStr"><is><t xml:space="preserve">=HYPERLINK(&quot;x&quot;)</t>',
    )
    expect(sheet).toContain('<c r="D2"><v>3</v></c>')
    expect(sheet).not.toContain('<f')
  })

  it('include a workbook with results, answers and decisions', async () => {
    const { take, sat } = await taking([3, 1])
    await decided(sat[0]?.id, 'cleared', 'Surname was ill')
    const sheets = Object.entries(unzipSync((await take('workbook')).content as Uint8Array))
      .filter(([name]) => name.includes('sheet'))
      .map(([, bytes]) => strFromU8(bytes))
    expect(sheets).toHaveLength(4)
    expect(sheets[2]?.match(/<row /g)).toHaveLength(1 + 2 * 4)
    const text = sheets.join()
    const told = [
      'sat.0',
      'Name 0 Surname',
      'Room 2.11',
      'Copied, once.',
      'Surname was ill',
      'cleared',
    ]
    for (const one of told) expect(text).toContain(one)
    expect(text).not.toContain('event:')
  })

  it('begin the workbook with everyone on the list, ranked and compared with the cut score', async () => {
    const { take, sat, code } = await taking([1, 3, 3, 2])
    await rig.sql`insert into ranking_exclusions (candidate_id, reason, excluded_by, excluded_at)
      values (${sat[3]?.id}, 'Sat for a friend.', 'ana', now())`
    await rig.sql`insert into result_lines (assessment, points, version, changed_by, changed_at)
      values (${code}, 2, 1, 'ana', now())`
    await rig.sql`insert into candidates (id, assessment, username, name, email, password_hash, created_at)
      values (gen_random_uuid(), ${code}, 'late', 'Never Came', 'late@x.pt', decode(repeat('00', 32), 'hex'), now())`
    const parts = unzipSync((await take('workbook')).content as Uint8Array)
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array)
    const rows = sheet.split('<row ').slice(1)
    const cells = rows.map((row) =>
      [...row.matchAll(/<c r="([A-Z])[^>]*>(?:<is><t[^>]*>|<v>)([^<]*)/g)].map(
        ([, at, text]) => `${at}${text}`,
      ),
    )
    const shown = cells.map((row) => row.filter((cell) => /^[ADFHI]/.test(cell)).join(' '))
    const [first, second] = [shown[1], shown[2]].sort()
    expect([shown[0], first, second, ...shown.slice(3)]).toEqual([
      'Aplace Duser Fcorrect Hcut score 2 Iflags',
      'A1 Dsat.1 F3 Hin',
      'A1 Dsat.2 F3 Hin',
      'A3 Dsat.0 F1 Hbelow',
      'Dsat.3 F2 Iexcluded',
      'Dlate Iabsent',
    ])
    expect(cells.at(-1)).toContain('Clate@x.pt')
  })

  it('include each candidate’s result sheet, with score in words, decisions and receipt, but no rank', async () => {
    const { take, sat, code } = await taking([3, 1])
    await decided(sat[0]?.id, 'upheld', 'Copied twice')
    const written = await take('sheets')
    expect(written.name).toBe(`${code}-result-sheets.pdf`)
    const text = await pdfText(written.content)
    for (const told of [
      ...['Name 0 Surname', '3 of 4', '10:00', 'of 20:00', 'A test like this is not exact'],
      ...['Copied, once.', 'upheld', 'Copied twice', 'Ben', 'by the candidate', 'Name 1 Surname'],
      `Reference ${sat[0]?.reference}`,
    ]) {
      expect(text).toContain(told)
    }
    expect(text.toLowerCase()).not.toContain('rank')
  })

  it('put at most a thousand result sheets into one file, by number', async () => {
    const { take, sat, code } = await taking([3])
    await rig.sql`insert into candidates (id, assessment, username, password_hash, created_at)
      select gen_random_uuid(), ${code}, 'p' || n, decode(repeat('00', 32), 'hex'), now()
      from generate_series(1, 1001) n`
    await rig.sql`insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at,
        submitted_at, submit_reason, window_id, is_demo)
      select gen_random_uuid(), a.assessment, c.id, a.paper, a.started_at, a.deadline_at, a.submitted_at,
        a.submit_reason, a.window_id, false
      from attempts a join candidates c on c.assessment = a.assessment and c.id <> a.candidate_id
      where a.id = ${sat[0]?.attemptId}`
    for (const part of [undefined, 3]) {
      await expect(take('sheets', part)).rejects.toMatchObject({ code: 'many_sheets' })
    }
    expect(await auditOf(rig, code)).toEqual([])
    const last = await take('sheets', 2)
    expect(last.name).toBe(`${code}-result-sheets-2.pdf`)
    expect((await pdfText(last.content)).match(/Reference/g)).toHaveLength(2)
  })

  it('show how a test really ended, the time given, the locked cut score and corrected keys', async () => {
    const { take, sat, code, items } = await taking([3, 1])
    const [attempt] = [sat[1]?.attemptId]
    await rig.sql`update attempts set submit_reason = 'deadline', closed_by_submit = false
      where id = ${attempt}`
    await rig.sql`insert into attempt_events (candidate_id, attempt_id, kind, at_ms, received_at)
      values (${sat[1]?.id}, ${attempt}, 'ended', 600000, ${rig.clock.now})`
    await rig.sql`update attempts set incident_seconds = 300 where id = ${sat[0]?.attemptId}`
    await rig.sql`insert into result_lines (assessment, points, version, changed_by, changed_at, fixed_at, fixed_by)
      values (${code}, 2, 1, 'Ana', ${rig.clock.now}, ${rig.clock.now}, 'Ana')`
    const ruling = { kind: 'accept', option: 'C' } as const
    await regradeItem({ ...organizerOf(rig), code }, 2, ruling, 'Two are right.')
    expect(items).toHaveLength(4)
    const text = await pdfText((await take('sheets')).content)
    for (const told of [
      ...['by an organizer, after 10:01 of 20:00', '5 min during the test', '2 points, locked'],
      ...['Question 2 of the test: C counts too.', 'This score didn’t change.'],
      'This added 1 point to this score.',
    ]) {
      expect(text).toContain(told)
    }
    expect(text).not.toContain(code)
  })

  it('have no names for a reviewer, and need re-authentication', async () => {
    const { member } = await satTest(rig, [3, 1])
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    const files = (file: string) => ({ file })
    expect((await reviewer('POST', '/files', files('workbook'))).body.code).toBe(
      'without_names_only',
    )
    expect((await reviewer('POST', '/files', files('csv_without_names'))).status).toBe(200)
    expect((await owner('POST', '/files', files('workbook'))).status).toBe(200)
    rig.clock.now = new Date(rig.clock.now.getTime() + 6 * 60_000)
    expect((await owner('POST', '/files', files('workbook'))).body.code).toBe(
      'fresh_proof_required',
    )
    await proveAgain(rig)
    expect((await owner('POST', '/files', files('workbook'))).status).toBe(200)
  })
})
