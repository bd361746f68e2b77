import { numberWord } from '../../platform/words.ts'
import type { Role } from './roles.ts'

/** The abilities of a role, to follow 'can', and further details (product 7.7.4). */
export const ROLE_WORDS: Readonly<Record<Role, { may: string; also: string }>> = {
  owner: { may: 'do everything', also: 'Also invites, releases results and deletes tests.' },
  author: { may: 'write questions', also: 'Sees keys, never the name or score of a candidate.' },
  invigilator: {
    may: 'look after a room',
    also: 'Sees names and who is taking the test, but no questions. Can give a candidate up to 15 minutes.',
  },
  reviewer: {
    may: 'decide on incidents',
    also: 'Sees scores, and keys after the close; names only on request, which is logged.',
  },
}

/** Describes what a role allows: 'look after room 2.11'. @param room the invigilator's room; null means every room */
export function mayOf(role: Role, room: string | null): string {
  if (role !== 'invigilator') return ROLE_WORDS[role].may
  return room === null ? 'look after every room' : `look after ${nameRoom(room)}`
}

/** A room's name within a sentence: 'room 2.11', but 'Aula Magna' or 'Room A' unchanged. */
export function nameRoom(room: string): string {
  return /^\d|^.{1,3}$/u.test(room) ? `room ${room}` : room
}

/** Formats the number that replaces a candidate's hidden name: '021' (product 7.16.12). */
export const blindNumber = (number: number): string => String(number).padStart(3, '0')

/** A room's name as a title: 'Room 2.11', but 'Aula Magna' or 'Room A' unchanged. */
export const roomTitle = (room: string): string => nameRoom(room).replace(/^room /, 'Room ')

/** An assessment's name for people who don't know its code yet: 'Finance Club · Morning · Autumn 2026 (AUT26M)'. */
export function nameForInvited(one: {
  code: string
  society: string
  session: string | null
  season: string | null
}): string {
  return `${[one.society, one.session, one.season].filter(Boolean).join(' · ')} (${one.code})`
}

const ROLE_SENTENCES: Readonly<Record<Role, string>> = {
  owner: 'As an owner, you can do everything, including inviting others and changing their roles.',
  author:
    'As an author, you write the questions and their keys, and set when the test takes place.',
  invigilator:
    'As an invigilator, you are there during the test. You see who is taking it, and help candidates.',
  reviewer: 'As a reviewer, you look at incidents and results after the test.',
}

/**
 * Describes an invitation: a sentence per role, then its scope. The inviting owner reads the same text before sending
 * it (product 7.12.5).
 * @param offer.room the invigilator's room; null means every room
 * @param offer.test the test's name; null means the whole society, including future tests
 */
export function sentencesOf(offer: {
  roles: readonly Role[]
  room: string | null
  test: string | null
}): string[] {
  const { roles, room, test } = offer
  const sentences = roles.map((role) =>
    role === 'invigilator' && room !== null
      ? `As an invigilator, you look after ${nameRoom(room)} during the test. You see who is taking it, and help candidates.`
      : ROLE_SENTENCES[role],
  )
  if (test === null) return [...sentences, 'This is for all tests, including future ones.']
  sentences.push(`This is for ${test}.`)
  if (roles.includes('invigilator')) {
    sentences.push('An invigilator’s role ends when the test is over.')
  }
  return sentences
}

/** The team page's headline: 'Seven people, two of them owners'. @param of.owners at least one (product 7.7.8) */
export function teamInWords({ people, owners }: { people: number; owners: number }): string {
  if (people === 1) return 'One person, who is the owner'
  const them = `${numberWord(people)} people`
  if (owners === people) return `${them}, ${people === 2 ? 'both' : 'all of them'} owners`
  return `${them}, ${numberWord(owners).toLowerCase()} of them ${owners === 1 ? 'an owner' : 'owners'}`
}
