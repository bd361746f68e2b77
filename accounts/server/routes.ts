import { and, eq, ne } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { createNetworkTurns } from '../../platform/server/turns.ts'
import { logAct, noteAct, notedUser, noteUser } from './acts.ts'
import { AuthError, answerAuthError, invalid } from './errors.ts'
import { awaitBody } from './input.ts'
import { askForRecovery, redirectToRecovery, verifyRecovery } from './recovery/recovery.ts'
import { serveFactors } from './second-factor/factors.ts'
import { requireSession } from './sessions/bearer.ts'
import { loadSigningKeys } from './sessions/keys.ts'
import { refreshSession } from './sessions/refresh.ts'
import type { RateLimits } from './sign-in/rate-limits.ts'
import { signIn } from './sign-in/sign-in.ts'
import { type AdmitGuest, signUp } from './sign-in/sign-up.ts'
import { sessions } from './tables.ts'
import { answerUser, updateUser } from './user.ts'

/** The Supabase Auth protocol under /auth/v1, as far as its client library needs it. */
export function serveAuth(
  app: Hono,
  dependencies: AppDependencies,
  limits: RateLimits,
  admitGuest: AdmitGuest,
): void {
  const auth = new Hono()

  auth.onError((error, context) => answerAuthError(error, context, dependencies.log))
  auth.use(async (context, next) => {
    // The header comes first, because adding it to a finished response turns the body into a stream.
    context.header('Cache-Control', 'no-store')
    await next()
    // This runs before the response is sent, so that this node rejects an ended session from then on.
    const userId = notedUser(context)
    if (userId && context.req.method !== 'GET') dependencies.knownUsers?.forget(userId)
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store')
    logAct(dependencies.log, context)
  })

  // Hashing has its own queue, also by network.
  const enterTurn = createNetworkTurns(dependencies)
  auth.use(async (context, next) => {
    if (isHashed(context)) return next()
    // Reads the body first: a slow one would hold its whole campus's slot.
    await awaitBody(context)
    const leaveTurn = await enterTurn(context)
    await next().finally(leaveTurn)
  })

  auth.post('/signup', (context) => signUp(dependencies, limits, admitGuest, context))
  auth.post('/token', (context) => answerGrant(dependencies, limits, context))
  auth.post('/logout', (context) => signOut(dependencies, context))
  auth.get('/user', (context) => answerUser(dependencies, context))
  auth.put('/user', (context) => updateUser(dependencies, limits, context))
  auth.post('/recover', (context) => askForRecovery(dependencies, limits, context))
  auth.get('/verify', redirectToRecovery)
  auth.post('/verify', (context) => verifyRecovery(dependencies, limits, context))
  serveFactors(auth, dependencies)
  auth.get('/settings', (context) => context.json(SETTINGS))
  auth.get('/health', (context) => context.json(HEALTH))
  auth.get('/.well-known/jwks.json', async (context) => {
    const { jwks } = await loadSigningKeys(dependencies)
    context.header('Cache-Control', 'public, max-age=600')
    return context.json(jwks)
  })
  refuseWhatIsOff(auth, dependencies)
  auth.all('*', () => {
    throw new AuthError(404, 'not_found', 'There is no such call.')
  })

  app.route('/auth/v1', auth)
}

const isHashed = ({ req }: Context) =>
  req.method === 'POST' &&
  (req.path === '/auth/v1/signup' ||
    (req.path === '/auth/v1/token' && req.query('grant_type') === 'password'))

function answerGrant(
  dependencies: AppDependencies,
  limits: RateLimits,
  context: Context,
): Promise<Response> {
  switch (context.req.query('grant_type')) {
    case 'password':
      return signIn(dependencies, limits, context)
    case 'refresh_token':
      return refreshSession(dependencies, context)
    case 'pkce':
      throw new AuthError(
        404,
        'flow_state_not_found',
        'invalid flow state, no valid flow state found',
      )
    case 'id_token':
      throw new AuthError(400, 'provider_disabled', 'Provider is not enabled')
    case 'web3':
      throw new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled')
    default:
      throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
  }
}

/** Answers the client library's calls that the product doesn't use as disabled (product 2.9.2). */
function refuseWhatIsOff(auth: Hono, dependencies: AppDependencies): void {
  auth.post('/resend', (context) => context.json({}))
  auth.post('/otp', () => {
    throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp')
  })
  auth.post('/sso', () => {
    throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled')
  })
  auth.get('/reauthenticate', async (context) => {
    const { user } = await requireSession(dependencies, context.req.raw)
    if (user.isAnonymous) {
      throw invalid('Reauthentication requires the user to have an email or a phone number')
    }
    return context.json({})
  })
  auth.on(['GET', 'DELETE'], '/user/identities/:rest', async (context) => {
    await requireSession(dependencies, context.req.raw)
    throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled')
  })
  // Without a session, callers don't even learn which calls exist.
  auth.all('/factors/*', async (context, next) => {
    await requireSession(dependencies, context.req.raw)
    await next()
  })
}

const PROVIDERS_OFF = [
  ...['apple', 'azure', 'bitbucket', 'discord', 'facebook', 'snapchat', 'figma', 'fly', 'github'],
  ...['gitlab', 'google', 'keycloak', 'kakao', 'linkedin', 'linkedin_oidc', 'notion', 'spotify'],
  ...['slack', 'slack_oidc', 'workos', 'twitch', 'twitter', 'phone', 'zoom'],
]

const SETTINGS = {
  external: {
    anonymous_users: true,
    email: true,
    ...Object.fromEntries(PROVIDERS_OFF.map((name) => [name, false])),
  },
  disable_signup: false,
  mailer_autoconfirm: true,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
  saml_private_key_next_configured: false,
  passkeys_enabled: false,
}

const HEALTH = {
  version: 'superday',
  name: 'GoTrue',
  description: 'Superday speaks the protocol of GoTrue, a user registration and authentication API',
}

/** POST /logout, local, others or global. Errors: those of requireSession; 400 validation_failed for another scope. */
async function signOut(dependencies: AppDependencies, context: Context): Promise<Response> {
  const { user, session } = await requireSession(dependencies, context.req.raw)
  noteAct(context, 'sign-out')
  noteUser(context, user.id)
  const scope = context.req.query('scope') || 'global'
  const own = eq(sessions.userId, user.id)
  if (scope === 'global') {
    await dependencies.db.delete(sessions).where(own)
  } else if (scope === 'local') {
    await dependencies.db.delete(sessions).where(and(own, eq(sessions.id, session.id)))
  } else if (scope === 'others') {
    await dependencies.db.delete(sessions).where(and(own, ne(sessions.id, session.id)))
  } else {
    throw invalid(`Unsupported logout scope "${scope.slice(0, 50)}"`)
  }
  return context.body(null, 204)
}
