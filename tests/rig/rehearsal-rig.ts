import { randomUUID } from 'node:crypto'
import { rehearsalLink } from '../../assessments/server/rehearsal-store.ts'
import { type Rig, signUp } from './rig.ts'

const GOOD_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** The measurements of a healthy device. */
export const WELL = {
  clockOffsetMs: 120,
  roundTripMs: 30,
  hasSurvivedLoss: true,
  hasFullscreen: true,
  hasStorage: true,
  screenWidth: 1440,
  screenHeight: 900,
}

export const tokenOfLink = (rig: Rig, candidateId: string) =>
  rehearsalLink(rig.dependencies, candidateId).split('#')[1] as string

/** Opens a rehearsal by a link, as a new guest or as `user`, and verifies and starts it. */
export async function rehearse(
  rig: Rig,
  link: { token?: string; assessment?: string },
  user?: { token: string; userId: string },
) {
  const { token, userId } = user ?? (await signUp(rig))
  const opened = await rig.call('POST', '/api/rehearsals', { token, body: link })
  if (opened.status !== 200) throw new Error(`opening answered ${JSON.stringify(opened.body)}`)
  const { code, username, password } = opened.body
  const verified = await rig.call('POST', `/api/assessments/${code}/verify`, {
    token,
    body: { username, password },
  })
  const windowId = randomUUID()
  const headers = {
    'X-Candidate-Token': verified.body.candidateToken,
    'X-Window-Id': windowId,
    'User-Agent': GOOD_AGENT,
  }
  const call = (method: string, route: string, body?: unknown) =>
    rig.call(method, route, { token, headers, body })
  const started = await call('POST', `/api/assessments/${code}/attempt`, { windowId })
  const questions: { id: number }[] = started.body.questions ?? []
  return {
    ...{ token, userId, opened: opened.body, code, started, questions, call },
    async finish() {
      const answers = questions.map(({ id }) => ({ questionId: id, choice: 'A', revision: 1 }))
      return call('POST', `/api/assessments/${code}/attempt/submit`, { answers })
    },
    check: (facts: object = WELL) => call('POST', `/api/rehearsals/${code}/check`, facts),
  }
}

/** The stored device checks, newest last. */
export async function deviceChecksOf(rig: Rig) {
  const { rows } = await rig.db.$client.query<{
    candidate: string | null
    user: string | null
    troubles: string[]
    browser: string
    offset: number
  }>(
    `select candidate_id as candidate, user_id as "user", troubles, browser, clock_offset_ms as offset
     from device_checks order by checked_at, id`,
  )
  return rows
}
