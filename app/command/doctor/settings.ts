import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { WrongSecretKeyError } from '../../../accounts/server/sessions/keys.ts'
import {
  fingerprintOf,
  readSecretKey,
  SecretKeyError,
} from '../../../platform/database/secret-key.ts'
import { wordsOf } from '../../../platform/server/admin-error.ts'
import { parseSettings, type Settings } from '../../server/settings.ts'
import { requireKeyOf } from '../database.ts'
import { type Finding, fix, fixIf, look, well } from './finding.ts'

type Environment = Record<string, string | undefined>

/** Checks the environment as `npm run serve` does, or with `demo` as `npm start`. Settings: null if unreadable. */
export function lookAtSettings(
  environment: Environment,
  { demo }: { demo: boolean },
): { findings: Finding[]; settings: Settings | null } {
  const parsed = parseSettings(demo ? 'demo' : 'serve', environment)
  if ('settings' in parsed) {
    const findings = [
      well(`The settings are complete for ${demo ? 'npm start' : 'production (npm run serve)'}.`),
      ...(demo ? [] : lookAtProduction(parsed.settings, environment)),
    ]
    return { findings, settings: parsed.settings }
  }
  // Settings that production needs can be missing, and the other checks still run.
  const lenient = parseSettings('demo', environment)
  return {
    findings: parsed.problems.map(fix),
    settings: 'settings' in lenient ? lenient.settings : null,
  }
}

/** Settings that work but are probably a mistake. */
function lookAtProduction(settings: Settings, environment: Environment): Finding[] {
  const unset = ['MAIL_FROM', 'SUPPORT_EMAIL', 'PRIVACY_EMAIL'].filter((name) => !environment[name])
  return [
    ...fixIf(
      settings.PUBLIC_URL.startsWith('https:') && !settings.TRUST_PROXY,
      'TRUST_PROXY is off while PUBLIC_URL is https: behind the proxy, all users share one network address and its limits. Set TRUST_PROXY=on, and make sure that only the proxy can reach this node.',
    ),
    ...fixIf(
      !settings.RATE_LIMITS,
      'RATE_LIMITS is off, so passwords can be guessed without a limit. Set it to on.',
    ),
    ...(unset.length > 0
      ? [look(`${unset.join(', ')}: not set, so people see an address at superday.example.`)]
      : []),
    ...(settings.METRICS_TOKEN
      ? []
      : [look('METRICS_TOKEN is not set, so no monitoring can notice a failing node.')]),
  ]
}

/** 32 random bytes have about 30 different values. A typed pattern has few. */
const DIFFERENT_BYTES_AT_LEAST = 16

/** Whether the key is random, stored, and this database's. @param databaseUrl null if the database is unavailable */
export async function lookAtSecretKey(
  settings: Settings,
  databaseUrl: string | null,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const file = path.join(settings.DATA_DIR, 'secret.key')
  let key: Buffer | null = settings.SECRET_KEY ?? null
  if (!key) {
    try {
      key = await readSecretKey(settings.DATA_DIR)
    } catch (error) {
      if (!(error instanceof SecretKeyError) && !isSystemError(error)) throw error
      return [fix(`The secret key can't be read: ${wordsOf(error)}.`)]
    }
    if (!key) return [well(`There is no secret key yet. The first start creates ${file}.`)]
    if (process.platform !== 'win32' && existsSync(file) && statSync(file).mode & 0o077) {
      findings.push(fix(`Other users of this machine can read ${file}. Run chmod 600 on it.`))
    }
  }
  if (new Set(key).size < DIFFERENT_BYTES_AT_LEAST) {
    findings.push(
      fix('SECRET_KEY isn’t random, so it can be guessed. Create one: openssl rand -base64 32'),
    )
  }
  if (!databaseUrl) return findings
  try {
    await requireKeyOf(databaseUrl, key)
  } catch (error) {
    if (!(error instanceof WrongSecretKeyError)) throw error
    return [...findings, fix(error.message)]
  }
  return [
    ...findings,
    well(
      `The secret key with the fingerprint ${fingerprintOf(key)} matches this database. Do you keep a copy of it separate from the backups?`,
    ),
  ]
}

const isSystemError = (error: unknown) => typeof (error as { code?: unknown }).code === 'string'
