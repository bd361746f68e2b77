import { isReady } from '../../../assessments/rehearsal.ts'
import { roomTitle } from '../../kit/role-words.ts'
import type { Filter } from '../../kit/web/list-bar.tsx'
import type { CandidateFacts } from '../contract.ts'
import { isMisled, passwordStateOf } from './mail-words.ts'

type Fits = (one: CandidateFacts) => boolean

/** Of those who were not shut out. */
const FIXED: readonly (readonly [id: string, label: string, fits: Fits])[] = [
  ['all', 'All', () => true],
  ['refused', 'Refused', (one) => passwordStateOf(one) === 'refused'],
  ['unsure', 'Unsure', (one) => passwordStateOf(one) === 'unsure'],
  ['waiting', 'Waiting', (one) => passwordStateOf(one) === 'waiting'],
  ['none', 'Not sent', (one) => ['none', 'stopped'].includes(passwordStateOf(one))],
  ['misled', 'Told another time', isMisled],
  ['extra', 'Extra time', ({ extraSeconds }) => extraSeconds > 0],
  ['exempt', 'Exempt', ({ exemptKinds }) => exemptKinds.length > 0],
  ['untried', 'Not tried', ({ triedAt }) => triedAt === null],
  ['to-fix', 'Computer to fix', ({ findings }) => !isReady(findings)],
]
/** More rooms than these make no row of buttons. */
const MOST_ROOMS = 8

/** By the password, what was planned, the own computer, and room. */
export function filtersOf(candidates: readonly CandidateFacts[]): Filter<CandidateFacts>[] {
  const rooms = [...new Set(candidates.flatMap(({ room }) => room ?? []))]
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .slice(0, MOST_ROOMS)
  const filter = (id: string, label: string, fits: Fits) => ({
    id,
    label,
    fits: (one: CandidateFacts) => !one.isRevoked && fits(one),
  })
  return [
    ...FIXED.map((one) => filter(...one)),
    { id: 'out', label: 'Shut out', fits: ({ isRevoked }) => isRevoked },
    ...rooms.map((room) => filter(`room ${room}`, roomTitle(room), (one) => one.room === room)),
  ]
}
