import { existsSync } from 'node:fs'
import { createServer as createProbe } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import v8 from 'node:v8'
import vm from 'node:vm'
import { startDeletions, startRetention } from '../../accounts/server/deletion.ts'
import { createAccountMails } from '../../accounts/server/mails.ts'
import { followKnownUsers } from '../../accounts/server/sessions/follow-known-users.ts'
import { prepareKeys } from '../../accounts/server/sessions/keys.ts'
import { startPulseThread } from '../../assessments/server/pulse/start-pulse-thread.ts'
import { startSuperdaySweep } from '../../assessments/server/superday/superday-test.ts'
import { startSweep } from '../../assessments/server/sweep.ts'
import { loadBrainteasers } from '../../daily/server/brainteasers.ts'
import { type Database, openDatabase, SERVER_LIMITS } from '../../platform/database/database.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded/start.ts'
import { migrateDatabase } from '../../platform/database/migrate-database.ts'
import { requireSessions, waitForDatabase } from '../../platform/database/pooler.ts'
import { readOrMakeSecretKey } from '../../platform/database/secret-key.ts'
import { AdminError } from '../../platform/server/admin-error.ts'
import { createClock } from '../../platform/server/clock.ts'
import { createLogger } from '../../platform/server/log.ts'
import { startMailQueue } from '../../platform/server/mail-queue.ts'
import { createMailer } from '../../platform/server/mailer.ts'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { loadSpokenPrompts } from '../../practice/server/aloud/spoken-content.ts'
import { loadContent } from '../../practice/server/content/content.ts'
import { createReminderMails } from '../../practice/server/plan/mails.ts'
import { startReminders } from '../../practice/server/plan/send-reminders.ts'
import { startUsualTimes } from '../../practice/server/schedule/usual-times.ts'
import { createSocietyMails } from '../../societies/access/server/mails.ts'
import { createCredentialMail } from '../../societies/candidates/server/mails.ts'
import { startSeasonRetention } from '../../societies/log/server/retention.ts'
import { startEmptying } from '../../societies/log/server/season.ts'
import { createResultMail } from '../../societies/results/server/result-mail.ts'
import {
  loadDemoSeason,
  loadSamples,
  requireNoDemoData,
  resetDemoCandidates,
} from '../../societies/server/demo.ts'
import { startTrialSweep } from '../../societies/setup/server/rehearsal/simulation-store.ts'
import { createApp } from './app.ts'
import { closeDemoOrganizer, resetDemoOrganizer } from './demo-organizer.ts'
import { drain, listen } from './listener.ts'
import { type Mode, parseSettings } from './settings.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const MACHINE_TIME = {
  wallMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  uptimeMs: () => os.uptime() * 1000,
}
const closers: (() => Promise<unknown>)[] = []

/** Stops a started service at shutdown. */
function stopLater<T extends { stop(): Promise<unknown> }>(started: T): T {
  closers.unshift(() => started.stop())
  return started
}

async function start(mode: Mode): Promise<void> {
  // Few objects outlive a call, so moving them with four threads costs a tenth of the server's processor time.
  v8.setFlagsFromString('--no-parallel-scavenge')
  const parsed = parseSettings(mode, process.env)
  if ('problems' in parsed) throw new AdminError(parsed.problems.join('\n'))
  const { settings } = parsed
  const log = createLogger(settings.LOG_LEVEL)
  const now = createClock(MACHINE_TIME, ({ byMs, isBelieved }) =>
    log.error(
      { byMs },
      isBelieved
        ? 'the clock stayed where it had jumped to and is followed now'
        : "the clock has jumped; the old time continues for 15 minutes, unless it jumps back. Is this machine's time correct?",
    ),
  )

  // Checked before anything starts: the message is clearer, and nothing has to be stopped again.
  await requireFreePort(settings.PORT, settings.HOST)

  let databaseUrl = settings.DATABASE_URL
  if (databaseUrl) {
    await waitForDatabase(databaseUrl, log)
    await requireSessions(databaseUrl)
  } else {
    let isStarted = false
    const postgres = await startEmbeddedPostgres({
      dataDir: settings.DATA_DIR,
      // Later lines report that the database server died or came back.
      log: (line) => (isStarted ? log.warn(line) : log.info(line)),
    })
    isStarted = true
    stopLater(postgres)
    databaseUrl = postgres.url
    say(`Your data is in ${postgres.clusterDir}`)
  }
  const secretKey = settings.SECRET_KEY ?? (await readOrMakeSecretKey(settings.DATA_DIR))
  await migrateDatabase(databaseUrl, { log })
  const known = stopLater(followKnownUsers(databaseUrl, log))
  const url = databaseUrl
  const openPool = () => {
    const pool = openDatabase(url, {
      max: 10,
      limits: SERVER_LIMITS,
      onServerLost: known.renew,
      onError: (error) => log.warn({ error: error.message }, 'database connection lost'),
    })
    closers.unshift(() => pool.$client.end())
    return pool
  }
  const db = openPool()
  const candidatesDb = openPool()
  if (mode === 'serve') {
    await requireNoDemoData(db)
    await closeDemoOrganizer(db, now())
  }
  await loadContent(db)
  await loadSpokenPrompts(db)
  await loadBrainteasers(db)
  await prepareKeys({ db, secretKey, now })
  if (mode !== 'serve') await prepareDemo(db, secretKey, now())
  collectGarbage()
  stopLater(startPulseThread({ databaseUrl, logLevel: settings.LOG_LEVEL }, log))
  stopLater(startSweep({ db: candidatesDb, now, log }))
  stopLater(startTrialSweep({ db, now, log }))
  stopLater(startSuperdaySweep({ db, now, log }))
  stopLater(startRetention({ db, now, log }))
  stopLater(startUsualTimes({ db, log }))
  stopLater(startDeletions({ db, log }))
  stopLater(startEmptying({ db, now, log }))
  stopLater(startSeasonRetention({ db, now, log }))

  const { SUPPORT_EMAIL: supportEmail, PUBLIC_URL: publicUrl } = settings
  stopLater(startReminders({ db, now, log, secretKey, supportEmail, send: fetch }))

  const mailer = createMailer({
    smtpUrl: settings.SMTP_URL,
    from: settings.MAIL_FROM,
    outboxDir: path.join(settings.DATA_DIR, 'outbox'),
    log,
  })
  stopLater(
    startMailQueue({
      db,
      now,
      mailer,
      kinds: {
        ...createAccountMails({ db, now, publicUrl, secretKey }),
        ...createSocietyMails({ db, now, publicUrl, secretKey }),
        ...createReminderMails({ db, publicUrl, secretKey }),
        ...createCredentialMail({ db, now, publicUrl, secretKey }),
        ...createResultMail({ db, publicUrl }),
      },
      log,
    }),
  )

  const webDir = path.join(PROJECT_DIR, 'dist')
  const app = createApp({
    db,
    candidatesDb,
    knownUsers: known.users,
    now,
    random: Math.random,
    secretKey,
    publicUrl,
    supportEmail,
    founderProfiles: settings.FOUNDER_PROFILES,
    privacyEmail: settings.PRIVACY_EMAIL,
    rateLimits: settings.RATE_LIMITS,
    foundingOpen: settings.SOCIETIES === 'open',
    secondFactorRequired: settings.SECOND_FACTOR === 'required',
    trustProxy: settings.TRUST_PROXY,
    metricsToken: settings.METRICS_TOKEN ?? null,
    webDir: mode !== 'dev' && existsSync(webDir) ? webDir : null,
    offline: settings.OFFLINE,
    log,
  })
  const { server, port } = await listen({
    fetch: app.fetch,
    port: settings.PORT,
    host: settings.HOST,
    requestSeconds: settings.REQUEST_SECONDS,
    trustProxy: settings.TRUST_PROXY,
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? portTaken(settings.PORT) : error
  })
  closers.unshift(() => drain(server))
  say(`Superday is ready on ${settings.PUBLIC_URL.replace(/:0$/, `:${port}`)}`)
}

/** Frees the memory of parsing. Otherwise V8 lets garbage grow back to that size (docs/performance.md, Memory). */
function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc')
  vm.runInNewContext('gc')()
}

/** Creates sample assessments, a candidate to try each, and an organizer. */
async function prepareDemo(db: Database, secretKey: Buffer, now: Date): Promise<void> {
  const { kept } = await loadSamples(db, now)
  for (const code of kept) say(`${code} stays unchanged, because candidates have taken it.`)
  await loadDemoSeason(db, now)
  for (const { code, username, password } of await resetDemoCandidates(db, { secretKey, now })) {
    say(`Demo candidate for ${code}: ${username} / ${password}`)
  }
  const { email, password } = await resetDemoOrganizer(db, now)
  say(`Demo organizer: ${email} / ${password}`)
}

const portTaken = (port: number) =>
  new AdminError(`Port ${port} is taken. Set PORT to a free one, for example: PORT=3001 npm start`)

function requireFreePort(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createProbe()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? portTaken(port)
          : new AdminError(`Can't listen on HOST ${host}, PORT ${port}: ${error.message}`),
      ),
    )
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

let stopping: Promise<void> | undefined

/** Stops all services in reverse order. A second signal changes nothing. */
function stop(): Promise<void> {
  stopping ??= (async () => {
    for (const close of closers) await close().catch((error) => say(String(error)))
  })()
  return stopping
}

const mode = process.argv[2] ?? 'demo'
if (mode !== 'demo' && mode !== 'dev' && mode !== 'serve') {
  say(`Unknown mode ${mode}: demo, dev or serve.`)
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop().then(() => process.exit(0)))
}
start(mode).catch(async (error) => {
  const words = error instanceof AdminError ? error.message : (error?.stack ?? error)
  process.stderr.write(`${words}\n`)
  await stop()
  process.exit(1)
})
