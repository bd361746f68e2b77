import { randomUUID } from 'node:crypto'
import { caseItem } from '../../practice/cases/case.ts'
import { type Evening, eveningSchema } from '../../practice/contract/superday.ts'
import { GENERATOR_VERSION, sumsOf } from '../../practice/drill/generator.ts'
import { getPreset } from '../../practice/drill/presets.ts'
import type { Rig } from './rig.ts'

const ZONE = 'Europe/Lisbon'

export interface Person {
  /** refreshed when the clock passes its end */
  token: string
}

/** A person's mock superday, and its parts as the pages do them. */
export async function beginSuperday(rig: Rig, person: Person, id: string = randomUUID()) {
  const path = `/api/practice/superdays/${id}`
  const call = (method: string, route = '', body?: unknown) =>
    rig.call(method, path + route, {
      token: person.token,
      body,
    })
  const start = (startedAt = rig.clock.now.toISOString()) =>
    call('PUT', '', { startedAt, timeZone: ZONE })
  const began = await start()
  const first = eveningSchema.parse(began.body)
  return {
    id,
    first,
    call,
    start,
    look: async (): Promise<Evening> => {
      const { status, body } = await call('GET')
      if (status !== 200) throw new Error(JSON.stringify(body))
      return eveningSchema.parse(body)
    },

    /** Opens, verifies and starts the test. */
    async beginTest() {
      const opened = await call('POST', '/test')
      if (opened.status !== 200) throw new Error(JSON.stringify(opened.body))
      const { code, username, password } = opened.body
      const verified = await rig.call('POST', `/api/assessments/${code}/verify`, {
        token: person.token,
        body: { username, password },
      })
      const windowId = randomUUID()
      const headers = {
        'X-Candidate-Token': verified.body.candidateToken,
        'X-Window-Id': windowId,
      }
      const inTest = (method: string, route: string, body?: unknown) =>
        rig.call(method, `/api/assessments/${code}/attempt${route}`, {
          token: person.token,
          headers,
          body,
        })
      const started = await inTest('POST', '', { windowId })
      const questions: { id: number; question: string }[] = started.body.questions
      /** @param choose by index from 0; null leaves it out */
      const answersOf = (choose: (place: number) => string | null) =>
        questions.flatMap(({ id: questionId }, place) => {
          const choice = choose(place)
          return choice === null ? [] : { questionId, choice, revision: 1 }
        })
      return { code, started, questions, inTest, answersOf }
    },

    /** Answers the case, the first `right` questions correctly. */
    async solveCase(right: number, at = rig.clock.now, of: string = first.case.slug) {
      const { body } = await rig.call('GET', `/api/practice/cases/${of}`, {
        token: person.token,
      })
      const answers = body.questions.map(({ answer }: { answer: string }, place: number) => ({
        place,
        item: caseItem(of, place + 1),
        choice: place < right ? answer : answer === 'A' ? 'B' : 'A',
        answeredAt: at.toISOString(),
      }))
      return rig.call('PUT', `/api/practice/sessions/${randomUUID()}`, {
        token: person.token,
        body: {
          ...{ kind: 'case', about: { case: of }, answers, isFinished: true },
          ...{ completedAt: at.toISOString(), timeZone: ZONE },
        },
      })
    },

    speak(n: number, points: number[], rating: number, at = rig.clock.now) {
      const { slug = '' } = first.aloud[n] ?? {}
      return rig.call('POST', `/api/practice/aloud/${slug}/answers`, {
        token: person.token,
        body: {
          ...{ id: randomUUID(), points, rating, tookMs: 80_000 },
          ...{ answeredAt: at.toISOString(), timeZone: ZONE },
        },
      })
    },
  }
}

/** Saves a drill of eighty problems that ends at `at`. The correct answers come first. */
export function drill(
  rig: Rig,
  { token }: Person,
  { right, wrong, endsAt }: { right: number; wrong: number; endsAt: Date },
) {
  const preset = getPreset('80-in-8')
  const sums = (preset && sumsOf(preset, GENERATOR_VERSION, 7)) ?? []
  return rig.call('POST', '/api/practice/drills', {
    token,
    body: {
      ...{ id: randomUUID(), preset: '80-in-8', version: GENERATOR_VERSION, seed: 7, penalty: 1 },
      startedAt: new Date(endsAt.getTime() - 480_000).toISOString(),
      tookMs: 480_000,
      answers: sums.slice(0, right + wrong).map(({ key, options }, place) => ({
        answer: place < right ? key : (options.find((option) => option !== key) ?? ''),
        tookMs: 3_000,
      })),
      timeZone: ZONE,
    },
  })
}
