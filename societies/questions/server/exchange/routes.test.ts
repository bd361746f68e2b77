import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  takeSeat,
} from '../../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../../tests/rig/auth-rig.ts'
import { auditOf } from '../../../../tests/rig/organizer-rig.ts'
import { bytesOf, zipOf } from '../../../../tests/rig/questions/question-files-rig.ts'
import { useRig } from '../../../../tests/rig/rig.ts'
import { useSociety } from '../../../../tests/rig/society-rig.ts'

const rig = useRig({}, DAY)
watchLog(rig)
const { here, member, path, call } = useSociety(rig)

let code: string
let author: { token: string }
beforeEach(async () => {
  code = (await makeAssessment(rig, { societyId: here.id, itemCount: 2 })).code
  author = await member('author')
})

const questionsPath = (rest: string) => `/assessments/${code}/questions${rest}`
const pathOf = (rest: string) => path(questionsPath(rest))

/** Uploads a file like the page does. */
async function hand(content: string | Uint8Array, token = author.token, query = '') {
  const response = await rig.app.request(pathOf(`/review${query}`), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
    body: bytesOf(content) as BodyInit,
  })
  return { status: response.status, body: await response.json() }
}

const written = (question: string, more: object = {}) => ({
  question,
  options: { A: 'a', B: 'b', C: 'c', D: 'd' },
  answer: 'B',
  explanation: '',
  topic: '',
  ...more,
})

const store = (questions: object[], more: object = {}) => {
  const body = { id: randomUUID(), mode: 'append', fingerprint: '', questions, ...more }
  return call('POST', questionsPath('/import'), body, author.token)
}
const undo = (id: string, token = author.token) =>
  call('POST', questionsPath('/import/undo'), { id }, token)

const itemsOf = async () =>
  await rig.sql`select position, question, correct_option as key, topic, explanation
       from assessment_items where assessment = ${code} order by position`
const stemsOf = async () => (await itemsOf()).map(({ question }) => question)

const GIFT = `$CATEGORY: $course$/top/Bonds

::First:: What is a bond that pays no coupon? {=Zero # right ~Par ~Perpetual ~Floating #### Look at page 3.}

$CATEGORY: Accounting

Three options? {=a ~b ~c}

Two keys? {~%50%a ~%50%b ~c ~d}

Essay? {}`

describe('an uploaded question file', () => {
  it('is shown question by question, with possible fixes, and stores nothing', async () => {
    const { status, body } = await hand(GIFT)
    expect([status, body.format]).toEqual([200, 'gift'])
    expect(body.questions).toEqual([
      {
        place: 'line 3',
        question: 'What is a bond that pays no coupon?',
        options: ['Zero', 'Par', 'Perpetual', 'Floating'].map((text) => ({
          ...{ text, isKey: text === 'Zero' },
        })),
        explanation: 'Look at page 3.\nA: right',
        category: 'Bonds',
        form: null,
        notices: [],
        reason: null,
      },
      expect.objectContaining({
        ...{ place: 'line 7', reason: 'too_few_options', category: 'Accounting' },
        options: [...'abc'].map((text) => ({ text, isKey: text === 'a' })),
      }),
      expect.objectContaining({ place: 'line 9', reason: 'several_keys' }),
      expect.objectContaining({ place: 'line 11', reason: 'other_kind', options: [] }),
    ])
    expect(body.standing.count).toBe(2)
    expect(await stemsOf()).toHaveLength(2)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('is read again with the columns and keys that the member chooses', async () => {
    const file = 'Question,Option A,Option B,Option C,Option D,Marked\nWhich?,p,q,r,s,2'
    const { table } = (await hand(file)).body
    expect(table.columns.at(-1)).toEqual({ name: 'Marked', role: 'none' })
    const columns = 'question.option.option.option.option.correct'
    const { body } = await hand(file, author.token, `?columns=${columns}&keys=zero`)
    expect(body.questions[0].options[2]).toEqual({ text: 'r', isKey: true })
  })

  it('names questions that the test has already', async () => {
    const { body } = await hand(
      `Stem 1 of ${code}? {=alpha 1 ~beta 1 ~gamma 1 ~delta 1}\n\nStem 1 of ${code}? {=a ~b ~c ~d}`,
    )
    expect(body.questions.map(({ reason }: { reason: string }) => reason)).toEqual([
      'asked_already',
      null,
    ])
  })

  it('is refused once a candidate has started, for a sample, and for members without permission', async () => {
    const reviewer = await member('reviewer')
    expect((await hand(GIFT, reviewer.token)).status).toBe(404)
    const markSample = (isSample: boolean) =>
      rig.sql`update assessments set is_sample = ${isSample} where code = ${code}`
    await markSample(true)
    expect((await hand(GIFT)).body.code).toBe('is_sample')
    expect((await store([written('New?')])).body.code).toBe('is_sample')
    await markSample(false)
    const { username } = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, username)).start()
    const started = await hand(GIFT)
    const message =
      'One candidate has already started, so the questions can’t be changed. Correct a wrong key under Analysis.'
    expect([started.status, started.body]).toEqual([409, { code: 'has_attempts', message }])
    expect((await store([written('New?')])).body.code).toBe('has_attempts')
  })
})

describe('a hostile upload', () => {
  it('returns the problem with a message', async () => {
    const { status, body } = await hand(zipOf({ 'a.xml': new Uint8Array(1_500_000) }))
    expect([status, body.code, body.problem]).toEqual([422, 'question_file', 'packed_too_tightly'])
    expect(body.message).toMatch(/^[A-Z].*\.$/)
    expect(await stemsOf()).toHaveLength(2)
  })

  it('is accepted only as a file, one at a time per person', async () => {
    const form = await rig.app.request(pathOf('/review'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${author.token}`, 'Content-Type': 'text/plain' },
      body: GIFT,
    })
    expect(form.status).toBe(415)
    const both = await Promise.all([hand(GIFT), hand(GIFT)])
    const codes = both.map(({ body }) => body.code)
    expect(codes.filter((one) => one === 'reading_already')).toHaveLength(1)
    expect((await hand(GIFT)).body.code).not.toBe('reading_already')
  })
})

describe('reviewed questions', () => {
  it('are added after the existing ones, once per request, and logged', async () => {
    const id = randomUUID()
    const more = { explanation: ' why ', topic: 'Bonds' }
    const questions = [written('  First?\r\n', more), written('Second?')]
    const answers = await Promise.all([store(questions, { id }), store(questions, { id })])
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([200, { added: 2, askedAlready: 0, itemCount: 4 }])
    }
    expect((await store(questions, { id })).body.itemCount).toBe(4)
    expect((await itemsOf()).slice(2)).toEqual([
      { position: 3, question: 'First?', key: 'B', topic: 'Bonds', explanation: 'why' },
      { position: 4, question: 'Second?', key: 'B', topic: null, explanation: null },
    ])
    const [noted] = await auditOf(rig, code)
    expect(noted).toMatchObject({ action: 'import', detail: { added: 2, replaced: 0 } })
    // This skips a question that was added meanwhile.
    const again = await store([written('FIRST?'), written('Third?')])
    expect(again.body).toEqual({ added: 1, askedAlready: 1, itemCount: 5 })
  })

  it('are checked again, and an invalid one stops all', async () => {
    const reasons: [object, string][] = [
      [
        written(' '),
        'Question 2 of these can’t be imported (text is missing), so none was imported.',
      ],
      [written('Good?'), 'twice in the file'],
      [
        written('Two?', { options: { A: 'a', B: 'A', C: 'c', D: 'd' } }),
        'two options are the same',
      ],
      [written('Left\u202e?'), 'invisible characters'],
      [written('Why?', { explanation: '\u0007' }), 'invisible characters'],
    ]
    for (const [question, words] of reasons) {
      const { status, body } = await store([written('Good?'), question])
      expect([status, body.code]).toEqual([422, 'question_flawed'])
      expect(body.message).toContain(words)
    }
    const many = [...Array(499).keys()].map((n) => written(`Q${n}?`))
    expect((await store(many)).body.code).toBe('too_many_items')
    expect((await store([written('x'.repeat(5_001))])).status).toBe(400)
    expect(await stemsOf()).toHaveLength(2)
  })

  it('replace a question only if it is unchanged since it was shown', async () => {
    const { body } = await hand(GIFT)
    const { fingerprint } = body.standing
    await store([written('Between?')])
    const stale = await store([written('New?')], { mode: 'replace', fingerprint })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale_questions'])
    expect(stale.body.message).toContain('there are 3 now')
    const now = (await hand(GIFT)).body.standing.fingerprint
    const done = await store([written('New?')], { mode: 'replace', fingerprint: now })
    expect(done.body).toEqual({ added: 1, askedAlready: 0, itemCount: 1 })
    expect(await stemsOf()).toEqual(['New?'])
  })

  it('can be undone exactly by the same member within a minute', async () => {
    const id = randomUUID()
    await store([written('Mine?')], { id })
    await store([written('Behind?')])
    expect((await undo(id, here.owner.token)).body.code).toBe('undo_too_late')
    expect((await undo(id)).body).toEqual({ removed: 1, itemCount: 3 })
    const stems = [`Stem 1 of ${code}?`, `Stem 2 of ${code}?`, 'Behind?']
    expect(await itemsOf()).toMatchObject(
      stems.map((question, at) => ({ question, position: at + 1 })),
    )
    expect((await undo(id)).body).toEqual({ removed: 0, itemCount: 3 })
    const late = randomUUID()
    await store([written('Late?')], { id: late })
    await rig.sql`update assessment_items set version = 2 where question = 'Late?'
      and assessment = ${code}`
    expect((await undo(late)).body.code).toBe('undo_too_late')
    const old = randomUUID()
    await store([written('Old?')], { id: old })
    rig.clock.now = new Date(rig.clock.now.getTime() + 61_000)
    expect((await undo(old)).body.code).toBe('undo_too_late')
    expect(await stemsOf()).toContain('Old?')
  })
})

it('an export in the browser returns the file with keys to members who can read keys', async () => {
  await store([written('Line?', { options: { A: 'a\nb', B: 'b', C: 'c', D: 'd' } })])
  const ask = (format: string, token = author.token) =>
    call('GET', questionsPath(`/export${format}`), undefined, token)
  expect((await ask('?format=gift')).body).toMatchObject({
    ...{ fileName: `${code.toLowerCase()}-questions.gift.txt`, count: 3 },
    content: expect.stringContaining('=[plain]b'),
  })
  expect((await ask('')).body.fileName).toMatch(/\.csv$/)
  const reviewer = await member('reviewer')
  expect((await ask('', reviewer.token)).status).toBe(404)
})
