import { parseSettings, type Settings } from '../../server/settings.ts'
import { type Finding, look, mend, well } from './finding.ts'

type Environment = Record<string, string | undefined>

/**
 * Judges the environment as `npm run serve` does, or with `demo` as `npm start` does.
 * @returns what there is to say, and the settings by which the other looks can go on; null where they can't be read
 */
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
  // What production lacks need not keep the rest from being looked at.
  const lenient = parseSettings('demo', environment)
  return {
    findings: parsed.problems.map(mend),
    settings: 'settings' in lenient ? lenient.settings : null,
  }
}

/** What starts, and yet is seldom meant. */
function lookAtProduction(settings: Settings, environment: Environment): Finding[] {
  const findings: Finding[] = []
  if (settings.PUBLIC_URL.startsWith('https:') && !settings.TRUST_PROXY) {
    findings.push(
      mend(
        'TRUST_PROXY is off while PUBLIC_URL is https: behind the proxy all people share one network address and its limits. Set TRUST_PROXY=on, and let nobody but the proxy reach this node.',
      ),
    )
  }
  if (!settings.RATE_LIMITS) {
    findings.push(mend('RATE_LIMITS is off: passwords may be guessed without end. Set it to on.'))
  }
  const unset = ['MAIL_FROM', 'SUPPORT_EMAIL', 'PRIVACY_EMAIL'].filter((name) => !environment[name])
  if (unset.length > 0) {
    findings.push(
      look(`${unset.join(', ')}: not set, so people are shown an address at superday.example.`),
    )
  }
  if (!settings.METRICS_TOKEN) {
    findings.push(look('METRICS_TOKEN is not set: nothing outside can be told when a node is ill.'))
  }
  return findings
}
