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
    ['installing, to who has practiced on three days', {}, {}, 'install'],
    ['nothing before', { practicedDays: 2 }, {}, null],
    [
      'the way by hand on an iPhone',
      { canInstall: false, isAppleTouch: true },
      {},
      'install-by-hand',
    ],
    ['reminders where it is installed', { isInstalled: true }, {}, 'reminders'],
    ['reminders where it cannot be', { canInstall: false }, {}, 'reminders'],
    ['reminders behind a no to installing', {}, { install: '2026-05-30' }, 'reminders'],
    ['nothing 89 days after both', {}, { install: '2026-03-03', reminders: '2026-03-03' }, null],
    ['installing 90 days after', {}, { install: '2026-03-02', reminders: '2026-03-03' }, 'install'],
    ['reminders 90 days after', { isInstalled: true }, { reminders: '2026-03-02' }, 'reminders'],
    ['nothing where the browser was asked', { isInstalled: true, mayAskToNotify: false }, {}, null],
  ],
)('offers %s', (_, device, refusedOn, offer) => {
  expect(offerOf(TODAY, { ...READY, ...device }, { ...NEVER, ...refusedOn })).toBe(offer)
})
