import { isReady } from '../../../assessments/rehearsal.ts'
import type { CandidateFacts } from '../../contract/candidates.ts'
import { roomTitle } from '../../role-words.ts'
import { isMisled, passwordStateOf } from './mail-words.ts'

export interface Filter {
  id: string
  label: string
  fits: (one: CandidateFacts) => boolean
  /** also those who were shut out */
  ofShutOut?: boolean
}

const FIXED: readonly Filter[] = [
  { id: 'all', label: 'All', fits: () => true },
  { id: 'refused', label: 'Refused', fits: (one) => passwordStateOf(one) === 'refused' },
  { id: 'unsure', label: 'Unsure', fits: (one) => passwordStateOf(one) === 'unsure' },
  { id: 'waiting', label: 'Waiting', fits: (one) => passwordStateOf(one) === 'waiting' },
  {
    id: 'none',
    label: 'Not sent',
    fits: (one) => ['none', 'stopped'].includes(passwordStateOf(one)),
  },
  { id: 'misled', label: 'Told another time', fits: isMisled },
  { id: 'extra', label: 'Extra time', fits: ({ extraSeconds }) => extraSeconds > 0 },
  { id: 'exempt', label: 'Exempt', fits: ({ exemptKinds }) => exemptKinds.length > 0 },
  { id: 'untried', label: 'Did not try', fits: ({ triedAt }) => triedAt === null },
  { id: 'to-fix', label: 'Computer to fix', fits: ({ findings }) => !isReady(findings) },
  { id: 'out', label: 'Shut out', fits: ({ isRevoked }) => isRevoked, ofShutOut: true },
]
/** More rooms than these make no row of buttons. */
const MOST_ROOMS = 8

/** The filters that have something to show, with how many; 'All' always. */
export function filtersOf(candidates: readonly CandidateFacts[]): (Filter & { count: number })[] {
  const rooms = [...new Set(candidates.flatMap(({ room }) => room ?? []))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const ofRooms = rooms.slice(0, MOST_ROOMS).map((room) => ({
    id: `room ${room}`,
    label: roomTitle(room),
    fits: (one: CandidateFacts) => one.room === room,
  }))
  return [...FIXED, ...ofRooms]
    .map((filter) => ({ ...filter, count: shownBy(candidates, filter, '').length }))
    .filter(({ id, count }) => id === 'all' || count > 0)
}

/** Who is shown under a filter and a search; the search takes words in any order. */
export function shownBy(
  candidates: readonly CandidateFacts[],
  { fits, ofShutOut = false }: Filter,
  search: string,
): CandidateFacts[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return candidates.filter((one) => {
    if (one.isRevoked !== ofShutOut || !fits(one)) return false
    const text = plain(`${one.name ?? ''} ${one.username} ${one.email ?? ''}`)
    return words.every((word) => text.includes(word))
  })
}

/** Without marks: who looks for Conceicao finds Conceição. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
