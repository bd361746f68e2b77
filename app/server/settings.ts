import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'

/** How the product was started: npm start, npm run dev, npm run serve. */
export type Mode = 'demo' | 'dev' | 'serve'

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const onOff = z
  .enum(['on', 'off'], { error: 'must be on or off' })
  .transform((value) => value === 'on')

/** Number of founder cards on /about (product 8.2.1). */
const FOUNDERS = 3
const PROFILES_RULE = `must be ${FOUNDERS} https addresses with commas between them`

const settingsSchema = z.object({
  PORT: z.coerce
    .number({ error: 'must be a port number' })
    .int()
    .min(0, { error: 'must be a port number' })
    .max(65535, { error: 'must be a port number' })
    .default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres:// or postgresql://' })
    .optional(),
  SECRET_KEY: z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === 32, {
      error: 'must be 32 random bytes in base64 (for example from: openssl rand -base64 32)',
    })
    .transform((text) => Buffer.from(text, 'base64'))
    .optional(),
  RATE_LIMITS: onOff.default(true),
  /** whether accounts can found societies */
  SOCIETIES: z.enum(['open', 'closed'], { error: 'must be open or closed' }).optional(),
  /** whether owners, authors and reviewers of societies need a second factor */
  SECOND_FACTOR: z
    .enum(['required', 'optional'], { error: 'must be required or optional' })
    .optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((folder) => path.resolve(folder)),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, { error: 'must start with smtp:// or smtps://' })
    .optional(),
  MAIL_FROM: z.string().min(3).default('Superday <no-reply@superday.example>'),
  SUPPORT_EMAIL: z.email({ error: 'must be an email address' }).default('support@superday.example'),
  PRIVACY_EMAIL: z.email({ error: 'must be an email address' }).default('privacy@superday.example'),
  /** the founders' professional profiles, in the order of their cards on /about */
  FOUNDER_PROFILES: z
    .string()
    .transform((list) => list.split(',').map((address) => address.trim()))
    .pipe(
      z
        .array(z.url({ protocol: /^https$/, error: PROFILES_RULE }))
        .length(FOUNDERS, { error: PROFILES_RULE }),
    )
    .default([]),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  TRUST_PROXY: onOff.default(false),
  /** whether browsers may cache the application for offline use */
  OFFLINE: onOff.default(true),
  /** seconds for a request's headers and body to arrive */
  REQUEST_SECONDS: z.coerce
    .number({ error: 'must be a number of seconds from 1 to 600' })
    .min(1, { error: 'must be a number of seconds from 1 to 600' })
    .max(600, { error: 'must be a number of seconds from 1 to 600' })
    .default(20),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

export type Settings = Omit<
  z.output<typeof settingsSchema>,
  'PUBLIC_URL' | 'LOG_LEVEL' | 'SOCIETIES' | 'SECOND_FACTOR'
> & {
  PUBLIC_URL: string
  LOG_LEVEL: string
  SOCIETIES: 'open' | 'closed'
  SECOND_FACTOR: 'required' | 'optional'
}

/** The settings of product 9.4, or one message per problem. */
export function parseSettings(
  mode: Mode,
  environment: Record<string, string | undefined>,
): { settings: Settings } | { problems: string[] } {
  // An empty variable means 'not set', as in shell scripts and compose files.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = settingsSchema.safeParse(given)
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`),
    }
  }
  const settings = parsed.data
  const problems: string[] = []
  if (settings.DATABASE_URL && !settings.SECRET_KEY) {
    problems.push(
      'SECRET_KEY is required together with DATABASE_URL: 32 random bytes in base64, the same on every node.',
    )
  }
  if (!settings.RATE_LIMITS && !isLoopback(settings.HOST)) {
    problems.push('RATE_LIMITS may be off only while HOST is a loopback address.')
  }
  if (mode === 'serve') {
    if (!settings.PUBLIC_URL) {
      problems.push('PUBLIC_URL is required: the address that people open, for example https://…')
    } else {
      const { protocol, hostname } = new URL(settings.PUBLIC_URL)
      if (protocol !== 'https:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))) {
        problems.push('PUBLIC_URL must be https, or an address of this machine.')
      }
    }
    if (!settings.SMTP_URL) {
      problems.push('SMTP_URL is required: password recovery needs it.')
    }
  }
  if (problems.length > 0) return { problems }
  return {
    settings: {
      ...settings,
      PUBLIC_URL: (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/$/, ''),
      SOCIETIES: settings.SOCIETIES ?? (mode === 'serve' ? 'closed' : 'open'),
      SECOND_FACTOR: settings.SECOND_FACTOR ?? (mode === 'serve' ? 'required' : 'optional'),
      LOG_LEVEL: settings.LOG_LEVEL ?? (mode === 'serve' ? 'info' : 'warn'),
    },
  }
}
