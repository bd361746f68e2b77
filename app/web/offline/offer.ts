import { daysBetween } from '../../../platform/local-day.ts'

export type Offer = 'install' | 'install-by-hand' | 'reminders'

/** Days of practice before the first offer (product 3.17.9). */
const DAYS_OF_PRACTICE = 3
const DAYS_OF_NO = 90

/** The single offer at the dashboard's end, after three days of practice (product 3.17.9). */
export function offerOf(
  today: string,
  device: {
    practicedDays: number
    isInstalled: boolean
    canInstall: boolean
    isAppleTouch: boolean
    mayAskToNotify: boolean
  },
  refusedOn: { install: string | null; reminders: string | null },
): Offer | null {
  if (device.practicedDays < DAYS_OF_PRACTICE) return null
  const isOpen = (no: string | null) => no === null || daysBetween(no, today) >= DAYS_OF_NO
  if (!device.isInstalled && isOpen(refusedOn.install)) {
    if (device.canInstall) return 'install'
    if (device.isAppleTouch) return 'install-by-hand'
  }
  return device.mayAskToNotify && isOpen(refusedOn.reminders) ? 'reminders' : null
}
