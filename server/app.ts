import { Hono } from 'hono'
import type { Database } from '../db/database.ts'
import { serveAssessments } from './assessments/routes.ts'
import { createGuard } from './auth/guard.ts'
import { serveAuth } from './auth/routes.ts'
import { createBank } from './bank.ts'
import { serveDaily } from './daily.ts'
import { Api, answerError, describeApi, securityHeaders } from './http.ts'
import type { Logger } from './log.ts'
import { serveOperations } from './operations.ts'
import { servePersonalData } from './personal-data.ts'
import { servePractice } from './practice.ts'
import { serveProfile } from './profile.ts'
import { serveProgress } from './progress.ts'
import { serveStreak } from './streak.ts'
import { serveWeb } from './web.ts'

/** All that the application takes from outside. */
export interface AppDependencies {
  db: Database
  /** the clock; tests pass their own */
  now: () => Date
  /** in [0, 1); tests pass their own */
  random: () => number
  /** 32 bytes: derives the HMAC keys, encrypts the signing key's row */
  secretKey: Buffer
  /** the address that people open, without a slash at its end */
  publicUrl: string
  supportEmail: string
  privacyEmail: string
  rateLimits: boolean
  /** whether X-Forwarded-For is to be believed */
  trustProxy: boolean
  /** opens /metrics to who shows it; null closes it */
  metricsToken: string | null
  /** the built web application; null serves the API alone */
  webDir: string | null
  log: Logger
}

/** The whole application as a fetch handler. Reading it shows who may call what. */
export function createApp(dependencies: AppDependencies): Hono {
  const app = new Hono()
  const guard = createGuard(dependencies)
  const bank = createBank(dependencies)
  const api = new Api(guard)

  app.onError((error, context) => answerError(error, context, dependencies.log))
  serveOperations(app, dependencies)

  serveProfile(api, dependencies)
  servePersonalData(api, dependencies)
  servePractice(api, dependencies, bank)
  serveProgress(api, dependencies, bank)
  serveStreak(api, dependencies)
  serveDaily(api, dependencies)
  serveAssessments(api, dependencies)
  app.route('/', api.hono)

  // Below, because the answers of the API bring these headers themselves.
  app.use(securityHeaders())
  serveAuth(app, dependencies)
  const description = describeApi(api.endpoints)
  app.get('/api/openapi.json', (context) => context.json(description))
  app.all('/api/*', (context) =>
    context.json({ code: 'not_found', message: 'There is no such call.' }, 404),
  )
  if (dependencies.webDir) serveWeb(app, dependencies.webDir, dependencies.publicUrl)
  return app
}
