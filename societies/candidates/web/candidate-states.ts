import { isReady } from '../../../assessments/rehearsal.ts'
import { numberWord } from '../../../platform/words.ts'
import { type Filter, roomFilters } from '../../kit/web/list-bar.tsx'
import type { CandidateFacts } from '../contract.ts'

export type PasswordState = 'none' | 'waiting' | 'sent' | 'paper' | 'refused' | 'stopped' | 'unsure'

/** The most recent event counts: a sheet printed after a mail replaces the mail's password. */
export function passwordStateOf({ mail, passwordMadeAt }: CandidateFacts): PasswordState {
  if (mail?.state === 'queued') return 'waiting'
  if (mail === null || (passwordMadeAt && passwordMadeAt > mail.at)) {
    return passwordMadeAt === null ? 'none' : 'paper'
  }
  return mail.state === 'failed' ? 'refused' : mail.state
}

/** Whether a candidate can still start. @param closesAt when the test's window closes */
export const canStart = ({ starts }: CandidateFacts, closesAt: string | null): boolean => {
  const until = starts?.untilAt ?? closesAt
  return until === null || Date.parse(until) > Date.now()
}

export const needsMail = (one: CandidateFacts): boolean =>
  one.email !== null &&
  !one.isRevoked &&
  one.attempt === 'none' &&
  one.passwordMadeAt === null &&
  passwordStateOf(one) !== 'waiting'

/** Whether the mail or printed sheet shows an outdated time and the candidate hasn't started. */
const isMisled = (one: CandidateFacts): boolean =>
  one.isToldOtherwise && !one.isRevoked && one.attempt === 'none'

export const needsNewTime = (one: CandidateFacts): boolean =>
  isMisled(one) && one.email !== null && passwordStateOf(one) !== 'paper'

export const needsNewSlip = (one: CandidateFacts): boolean =>
  isMisled(one) && passwordStateOf(one) === 'paper'

/** Example: '128 on the list. Three emails were refused.' */
export function headlineOf(listed: readonly CandidateFacts[]): string {
  const count = (fits: (one: CandidateFacts) => boolean) => listed.filter(fits).length
  const inState = (state: PasswordState) => count((one) => passwordStateOf(one) === state)
  const without = count((one) => one.passwordMadeAt === null && one.mail?.state !== 'queued')
  const findings: readonly (readonly [count: number, one: string, many: string])[] = [
    [inState('refused'), 'email was refused', 'emails were refused'],
    [inState('unsure'), 'email may not have arrived', 'emails may not have arrived'],
    [count(isMisled), 'was told a different time', 'were told a different time'],
    [without, 'has no password yet', 'have no password yet'],
    [inState('waiting'), 'password is on its way', 'passwords are on their way'],
  ]
  const at = findings.findIndex(([number]) => number > 0)
  const [number, one, many] = findings[at] ?? [0, '', '']
  let sentence = `${numberWord(number)} ${number === 1 ? one : many}`
  if (number === 0) sentence = 'Each has a password'
  if (without === listed.length && (number === 0 || at > 2))
    sentence = 'No candidate has a password yet'
  return `${listed.length} on the list. ${sentence}.`
}

/** Filters for candidates who aren't shut out. */
const FILTERS: readonly Filter<CandidateFacts>[] = [
  { id: 'all', label: 'All', fits: () => true },
  { id: 'refused', label: 'Refused', fits: (one) => passwordStateOf(one) === 'refused' },
  { id: 'unsure', label: 'Unsure', fits: (one) => passwordStateOf(one) === 'unsure' },
  { id: 'waiting', label: 'Waiting', fits: (one) => passwordStateOf(one) === 'waiting' },
  {
    id: 'none',
    label: 'Not sent',
    fits: (one) => ['none', 'stopped'].includes(passwordStateOf(one)),
  },
  { id: 'misled', label: 'Told a different time', fits: isMisled },
  { id: 'extra', label: 'Extra time', fits: ({ extraSeconds }) => extraSeconds > 0 },
  { id: 'other', label: 'Another time', fits: ({ starts }) => starts !== null },
  { id: 'exempt', label: 'Exempt', fits: ({ exemptKinds }) => exemptKinds.length > 0 },
  { id: 'untried', label: 'Not tried', fits: ({ triedAt }) => triedAt === null },
  { id: 'to-fix', label: 'Computer to fix', fits: ({ findings }) => !isReady(findings) },
]
export function filtersOf(candidates: readonly CandidateFacts[]): Filter<CandidateFacts>[] {
  const rooms = [...new Set(candidates.flatMap(({ room }) => room ?? []))]
  rooms.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return [
    ...FILTERS.map(({ fits, ...filter }) => ({
      ...filter,
      fits: (one: CandidateFacts) => !one.isRevoked && fits(one),
    })),
    { id: 'out', label: 'Shut out', fits: ({ isRevoked }) => isRevoked },
    ...roomFilters<CandidateFacts>(rooms),
  ]
}
