import { describe, expect, it } from 'vitest'
import { parseSettings } from './settings.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const SERVE = { PUBLIC_URL: 'https://superday.example', SMTP_URL: 'smtp://mail.example' }

describe('the server settings', () => {
  it('need nothing for npm start', () => {
    const parsed = parseSettings('demo', {})
    expect(parsed).toMatchObject({
      settings: {
        PORT: 3000,
        HOST: '127.0.0.1',
        PUBLIC_URL: 'http://localhost:3000',
        RATE_LIMITS: true,
      },
    })
  })

  it('treat an empty variable as not set', () => {
    expect(parseSettings('demo', { PORT: '', DATABASE_URL: '' })).toMatchObject({
      settings: { PORT: 3000 },
    })
  })

  it('let accounts found societies in the demo, and in production only if enabled', () => {
    const openIn = (mode: 'demo' | 'dev' | 'serve', environment: Record<string, string>) => {
      const parsed = parseSettings(mode, environment)
      return 'settings' in parsed && parsed.settings.SOCIETIES
    }
    expect([openIn('demo', {}), openIn('dev', {}), openIn('serve', SERVE)]).toEqual([
      ...['open', 'open', 'closed'],
    ])
    expect(openIn('serve', { ...SERVE, SOCIETIES: 'open' })).toBe('open')
    expect(openIn('demo', { SOCIETIES: 'closed' })).toBe('closed')
  })

  it('require a second factor of organizers in production and if enabled', () => {
    const asked = (mode: 'demo' | 'dev' | 'serve', environment: Record<string, string>) => {
      const parsed = parseSettings(mode, environment)
      return 'settings' in parsed && parsed.settings.SECOND_FACTOR
    }
    expect([asked('demo', {}), asked('dev', {}), asked('serve', SERVE)]).toEqual([
      ...['optional', 'optional', 'required'],
    ])
    expect(asked('serve', { ...SERVE, SECOND_FACTOR: 'optional' })).toBe('optional')
    expect(asked('demo', { SECOND_FACTOR: 'required' })).toBe('required')
  })

  it('are complete for production', () => {
    expect(parseSettings('serve', SERVE)).toMatchObject({
      settings: { PUBLIC_URL: 'https://superday.example' },
    })
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['an invalid port', { PORT: 'abc' }, /PORT must be a port number/],
    ['a port too high', { PORT: '70000' }, /PORT must be a port number/],
    ['a secret key too short', { SECRET_KEY: 'c2hvcnQ=' }, /SECRET_KEY must be 32 random bytes/],
    ['a database of another kind', { DATABASE_URL: 'mysql://x' }, /DATABASE_URL must start/],
    [
      'a database without a secret key',
      { DATABASE_URL: 'postgres://x/y' },
      /SECRET_KEY is required/,
    ],
    [
      'no rate limits on a public host',
      { RATE_LIMITS: 'off', HOST: '0.0.0.0' },
      /RATE_LIMITS may be off/,
    ],
    ['an invalid address', { SUPPORT_EMAIL: 'nobody' }, /SUPPORT_EMAIL must be an email/],
    [
      'a founder too few',
      { FOUNDER_PROFILES: 'https://a.example/1, https://a.example/2' },
      /FOUNDER_PROFILES must be 3 https addresses/,
    ],
    [
      'a profile that is not a web page',
      { FOUNDER_PROFILES: 'https://a.example/1,javascript:alert(1),https://a.example/3' },
      /FOUNDER_PROFILES\S* must be 3 https addresses/,
    ],
    ['societies ajar', { SOCIETIES: 'ajar' }, /SOCIETIES must be open or closed/],
    ['half a second factor', { SECOND_FACTOR: 'on' }, /SECOND_FACTOR must be required or optional/],
    ['a mail server of another kind', { SMTP_URL: 'http://x' }, /SMTP_URL must start/],
  ])('refuse %s', (_, environment, message) => {
    const parsed = parseSettings('demo', environment)
    expect('problems' in parsed && parsed.problems.join('\n')).toMatch(message)
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['without PUBLIC_URL', { SMTP_URL: SERVE.SMTP_URL }, /PUBLIC_URL is required/],
    ['without SMTP_URL', { PUBLIC_URL: SERVE.PUBLIC_URL }, /SMTP_URL is required/],
    ['with plain http', { ...SERVE, PUBLIC_URL: 'http://superday.example' }, /must be https/],
  ])('reject production %s', (_, environment, message) => {
    const parsed = parseSettings('serve', environment)
    expect('problems' in parsed && parsed.problems.join('\n')).toMatch(message)
  })

  it('allow production on this machine without https', () => {
    const local = {
      ...SERVE,
      PUBLIC_URL: 'http://localhost:3000',
      DATABASE_URL: 'postgres://x/y',
      SECRET_KEY: KEY,
    }
    expect('settings' in parseSettings('serve', local)).toBe(true)
  })
})
