import { expect, it } from 'vitest'
import { type Offer, offerOf } from './offer.ts'

const READY = {
  practicedDays: 3,
  isInstalled: false,
  canInstall: true,
  isAppleTouch: false,
  mayAskToNotify: true,
}
const NEVER = { install: null, reminders: null }
const TODAY = '2026-05-31'

it.each<[string, Partial<typeof READY>, Partial<Record<keyof typeof NEVER, string>>, Offer | null]>(
  [
    ['installation after three days of practice', {}, {}, 'install'],
    ['nothing before that', { practicedDays: 2 }, {}, null],
    [
      'manual installation on an iPhone',
      { canInstall: false, isAppleTouch: true },
      {},
      'install-by-hand',
    ],
    ['reminders when it is installed', { isInstalled: true }, {}, 'reminders'],
    ['reminders when it cannot be installed', { canInstall: false }, {}, 'reminders'],
    ['reminders after installation was declined', {}, { install: '2026-05-30' }, 'reminders'],
    [
      'nothing 89 days after both were declined',
      {},
      { install: '2026-03-03', reminders: '2026-03-03' },
      null,
    ],
    [
      'installation 90 days after it was declined',
      {},
      { install: '2026-03-02', reminders: '2026-03-03' },
      'install',
    ],
    [
      'reminders 90 days after they were declined',
      { isInstalled: true },
      { reminders: '2026-03-02' },
      'reminders',
    ],
    ['nothing once the browser has asked', { isInstalled: true, mayAskToNotify: false }, {}, null],
  ],
)('the app offers %s', (_, device, refusedOn, offer) => {
  expect(offerOf(TODAY, { ...READY, ...device }, { ...NEVER, ...refusedOn })).toBe(offer)
})
