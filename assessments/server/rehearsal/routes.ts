import type { ResponseOf } from '../../../platform/endpoint.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { labelOf } from '../../reference.ts'
import {
  browserOf,
  browserText,
  findingsOf,
  isReady,
  REHEARSAL_ITEMS,
  REHEARSAL_SECONDS,
} from '../../rehearsal.ts'
import { checkDevice, openRehearsal, tellTime } from '../../rehearsal-contract.ts'
import { makePassword } from '../password-store.ts'
import {
  candidateOfToken,
  getRehearsed,
  getRehearsedOfCandidate,
  keepDeviceCheck,
  makeRehearsal,
  type Rehearsed,
} from '../rehearsal-store.ts'
import { createOriginOf, readSeat, type Seats } from '../seat.ts'
import { finaliseAttemptOf } from '../status.ts'

const QUOTA = {
  name: 'rehearsals',
  limit: 20,
  sentence: 'You have rehearsed many times today.',
}

/** Finds the society in which a user helps with an assessment, or null. */
export type FindHelper = (userId: string, code: string) => Promise<string | null>

/** Invalid, expired and withdrawn links get the same error, so that no one can find out who is on a list. */
const noSuchLink = () =>
  new ApiError(
    404,
    'no_rehearsal',
    'This rehearsal link is not valid, or the test is over. Please ask your society for a new one.',
  )

/** Serves rehearsals: throwaway credentials for a test of sample questions (product 7.11). */
export function serveRehearsals(
  api: Api,
  dependencies: AppDependencies,
  seats: Seats,
  findHelper: FindHelper,
): void {
  const { db, now, secretKey } = dependencies
  const quota = createQuota(dependencies, QUOTA)
  const originOf = createOriginOf(dependencies)

  /** Finds the assessment of a rehearsal link. Errors: 404 no_rehearsal. */
  async function requireRehearsed(
    user: CurrentUser,
    { token, assessment }: { token?: string | undefined; assessment?: string | undefined },
  ): Promise<{ rehearsed: Rehearsed; candidateId: string | null; helperOf: string | null }> {
    if (token !== undefined) {
      const candidateId = candidateOfToken(secretKey, token)
      const rehearsed =
        candidateId && (await getRehearsedOfCandidate(db.$client, candidateId, now()))
      if (!rehearsed) throw noSuchLink()
      const helperOf = await findHelper(user.id, rehearsed.code)
      // If an organizer tries a candidate's link, the candidate's computer was not checked.
      return { rehearsed, candidateId: helperOf ? null : candidateId, helperOf }
    }
    if (assessment === undefined) throw noSuchLink()
    const helperOf = await findHelper(user.id, assessment)
    const rehearsed = await getRehearsed(
      db.$client,
      assessment,
      { drafts: helperOf !== null },
      now(),
    )
    if (!rehearsed) throw noSuchLink()
    return { rehearsed, candidateId: null, helperOf }
  }

  api.serve(openRehearsal, async ({ user, body }) => {
    const { rehearsed, candidateId, helperOf } = await requireRehearsed(user, body)
    await quota.take(user.id)
    const password = makePassword()
    const call = { rehearsed, userId: user.id, password, keptFor: { candidateId, helperOf } }
    const opened = await makeRehearsal(db, secretKey, call, now())
    if (!opened) {
      throw new ApiError(
        429,
        'too_many_rehearsals',
        'Too many people are rehearsing this test right now. Please try again in an hour.',
        { retryAfterSeconds: 3_600 },
      )
    }
    const kept: ResponseOf<typeof openRehearsal>['keptFor'] =
      helperOf !== null ? 'helper' : candidateId !== null ? 'candidate' : 'nobody'
    return {
      ...opened,
      password,
      label: labelOf(rehearsed),
      durationSeconds: REHEARSAL_SECONDS,
      questionCount: REHEARSAL_ITEMS.length,
      navigator: rehearsed.navigator,
      contact: rehearsed.rules.contact,
      keptFor: kept,
    }
  })

  api.serve(tellTime, async () => ({ now: now().toISOString() }))

  api.serve(checkDevice, async ({ user, params, body, context }) => {
    const at = now()
    const candidate = await seats.candidateOf(readSeat(params.code, user, context))
    const attempt = await finaliseAttemptOf(db, candidate.id, at)
    if (!attempt?.submittedAt) {
      throw new ApiError(409, 'not_finished', 'The rehearsal is not over yet.')
    }
    const browser = browserOf(originOf(user, context).agent ?? '')
    const findings = findingsOf(body, browser)
    const { clockOffsetMs, roundTripMs, hasFullscreen, hasStorage } = body
    const isKept = await keepDeviceCheck(
      db.$client,
      candidate.id,
      {
        ...{ clockOffsetMs, roundTripMs, hasFullscreen, hasStorage },
        browser: browserText(browser),
        troubles: findings,
      },
      at,
    )
    return { browser: browserText(browser), findings, isReady: isReady(findings), isKept }
  })
}
