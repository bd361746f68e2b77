import { Hono } from 'hono'
import { ACCOUNT_DATA, servePersonalData } from '../../accounts/server/personal-data.ts'
import { serveAddressVerification } from '../../accounts/server/recovery/address-change.ts'
import { serveAuth } from '../../accounts/server/routes.ts'
import { serveSecondFactor } from '../../accounts/server/second-factor/api.ts'
import { createGuard } from '../../accounts/server/sessions/guard.ts'
import { createRateLimits } from '../../accounts/server/sign-in/rate-limits.ts'
import { ASSESSMENT_DATA } from '../../assessments/server/personal-data.ts'
import { serveAssessments } from '../../assessments/server/routes.ts'
import { collectSuperdayTest } from '../../assessments/server/superday/superday-test.ts'
import { createEntrance } from '../../assessments/server/way-in/credentials.ts'
import { DAILY_DATA, serveDaily } from '../../daily/server/daily.ts'
import { serveContact } from '../../pages/server/contact.ts'
import { Api, answerError, describeApi, securityHeaders } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import type { PersonalData } from '../../platform/server/personal-data.ts'
import { RememberingRouter } from '../../platform/server/router.ts'
import { createNetworkTurns, createTurns } from '../../platform/server/turns.ts'
import { serveAloud } from '../../practice/server/aloud/aloud.ts'
import { BANK_VERSION, createBank } from '../../practice/server/bank.ts'
import { serveBuild } from '../../practice/server/build/build.ts'
import { serveCases } from '../../practice/server/cases/cases.ts'
import { serveDrills } from '../../practice/server/drills.ts'
import { serveMistakes } from '../../practice/server/mistakes.ts'
import { PRACTICE_DATA } from '../../practice/server/personal-data.ts'
import { servePlan } from '../../practice/server/plan/plan.ts'
import { serveReminders } from '../../practice/server/plan/reminders.ts'
import { serveProgress } from '../../practice/server/progress.ts'
import { serveQuestions } from '../../practice/server/questions.ts'
import { serveReports } from '../../practice/server/reports.ts'
import { serveResults } from '../../practice/server/results.ts'
import { serveToday } from '../../practice/server/schedule/today.ts'
import { serveSessions } from '../../practice/server/sessions.ts'
import { serveSlips } from '../../practice/server/slips/slips.ts'
import { serveStreak } from '../../practice/server/streak.ts'
import { serveSuperdays } from '../../practice/server/superday/superday.ts'
import { serveWeakTopics } from '../../practice/server/topics/weak-topics.ts'
import { createHelperSearch, createOrganizerGuard } from '../../societies/access/server/guard.ts'
import { SOCIETY_DATA } from '../../societies/access/server/personal-data.ts'
import { serveSocieties } from '../../societies/server/routes.ts'
import { serveOperations } from './operations.ts'
import { answerPage, type EncodedPage, serveWeb, zip } from './web.ts'

/** Waiting calls per person. All tabs of a restarted browser call at the same time. */
const CALLS_WAITING = 30
/** An organizer's page makes several calls at the same time, so that Live doesn't wait for a file. */
const ORGANIZER_AT_ONCE = 4
/** Concurrent calls of people per network. Some block the node for 10 ms. */
const NETWORK_AT_ONCE = 4

/** The whole application as a fetch handler. It shows who may call what. */
export function createApp(dependencies: AppDependencies): Hono {
  const app = new Hono({ router: new RememberingRouter() })
  const { candidatesDb = dependencies.db } = dependencies
  const guard = createGuard({ ...dependencies, db: candidatesDb }, BANK_VERSION)
  const bank = createBank(dependencies)
  const limits = createRateLimits(dependencies)
  const { rateLimits } = dependencies
  // Summing up a thousand results takes about 15 ms. A hundred such calls at the same time would delay everyone.
  const limit = { rateLimits, waitingLimit: CALLS_WAITING }
  const api = new Api(guard, createOrganizerGuard(dependencies, BANK_VERSION), {
    user: createTurns(limit),
    organizer: createTurns({ ...limit, atOnce: ORGANIZER_AT_ONCE, rests: true }),
    stranger: createNetworkTurns(dependencies),
    network: createNetworkTurns(dependencies, NETWORK_AT_ONCE),
  })

  app.onError((error, context) => answerError(error, context, dependencies.log))
  serveOperations(app, dependencies)

  serveContact(api, dependencies)
  serveAddressVerification(api, dependencies, limits)
  serveSecondFactor(api, dependencies, limits)
  servePersonalData(api, dependencies, limits, PERSONAL_DATA)
  serveQuestions(api, bank)
  serveReports(api, dependencies)
  serveResults(api, dependencies, bank)
  serveMistakes(api, dependencies, bank)
  serveProgress(api, dependencies, bank)
  serveWeakTopics(api, dependencies, bank)
  serveBuild(api, dependencies, bank)
  serveSlips(api, dependencies, bank)
  serveStreak(api, dependencies)
  serveAloud(api, dependencies)
  serveSessions(api, dependencies, bank)
  serveToday(api, dependencies, bank)
  serveCases(api, dependencies, bank)
  servePlan(api, dependencies)
  serveReminders(api, dependencies)
  serveDrills(api, dependencies)
  serveSuperdays(api, dependencies, bank, (of) =>
    collectSuperdayTest(dependencies.db, of, dependencies.now()),
  )
  serveDaily(api, dependencies)
  serveAssessments(api, dependencies, createHelperSearch(dependencies))
  // A simulated crowd calls the same handlers as real users, including the session check (product 7.11.9).
  serveSocieties(api, dependencies, async (path, init) => app.request(path, init))
  app.route('/', api.hono)

  // This comes after the API, whose responses already have these headers.
  app.use(securityHeaders())
  // Candidates on a roster can enter regardless of their network's guests (product 9.3.17).
  serveAuth(app, dependencies, limits, createEntrance(dependencies))
  // Built on first request, because it takes a tenth of a second, and serializing it again takes 20 ms.
  let description: EncodedPage | undefined
  app.get('/api/openapi.json', (context) => {
    description ??= zip(JSON.stringify(describeApi(api.endpoints)))
    return answerPage(context, description, 200, 'application/json')
  })
  app.all('/api/*', (context) =>
    context.json({ code: 'not_found', message: 'There is no such call.' }, 404),
  )
  const { webDir, publicUrl, offline } = dependencies
  if (webDir) serveWeb(app, webDir, publicUrl, offline)
  return app
}

/** What all rooms store about a person, for the export of personal data (product 2.8.1, 2.8.2). */
export const PERSONAL_DATA: PersonalData = {
  ...ACCOUNT_DATA,
  ...PRACTICE_DATA,
  ...DAILY_DATA,
  ...ASSESSMENT_DATA,
  ...SOCIETY_DATA,
}
