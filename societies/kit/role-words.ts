import { numberWord } from '../../platform/words.ts'
import type { Role } from './roles.ts'

/** What a role can do, after 'can', and what else belongs to it (product 7.7.4). */
export const ROLE_WORDS: Readonly<Record<Role, { may: string; also: string }>> = {
  owner: { may: 'do everything', also: 'Also invites, releases results and deletes tests.' },
  author: { may: 'write questions', also: 'Sees keys, never the name or score of a candidate.' },
  invigilator: {
    may: 'look after a room',
    also: 'Sees names and who is inside, never a question; gives up to 15 minutes to one candidate.',
  },
  reviewer: {
    may: 'decide on incidents',
    also: 'Sees scores, and keys after the close; names only on request, which is logged.',
  },
}

/** What a member can do by a role: 'look after room 2.11'. @param room an invigilator's; null is every room */
export function mayOf(role: Role, room: string | null): string {
  if (role !== 'invigilator') return ROLE_WORDS[role].may
  return room === null ? 'look after every room' : `look after ${nameRoom(room)}`
}

/** In a sentence: 'room 2.11', and 'Aula Magna' or 'Room A' as it is. */
export function nameRoom(room: string): string {
  return /^\d|^.{1,3}$/u.test(room) ? `room ${room}` : room
}

/** '021': how the number that stands for a candidate is written while the name is hidden (product 7.16.12). */
export const blindNumber = (number: number): string => String(number).padStart(3, '0')

/** By itself: 'Room 2.11', and 'Aula Magna' or 'Room A' as it is. */
export const roomTitle = (room: string): string => nameRoom(room).replace(/^room /, 'Room ')

/** An assessment's name for people who know no code yet: 'Finance Club · Morning · Autumn 2026 (AUT26M)'. */
export function nameForInvited(one: {
  code: string
  society: string
  session: string | null
  season: string | null
}): string {
  return `${[one.society, one.session, one.season].filter(Boolean).join(' · ')} (${one.code})`
}

const ROLE_SENTENCES: Readonly<Record<Role, string>> = {
  owner: 'As an owner you may do everything, also invite others and change their roles.',
  author: 'As an author you write the questions and their keys, and set when the test takes place.',
  invigilator:
    'As an invigilator you are there during the test: you see who is inside, and help candidates.',
  reviewer: 'As a reviewer you look at incidents and results afterwards.',
}

/**
 * An invitation in sentences: each role, then what it is for. The owner who invites reads the same before it is sent
 * (product 7.12.5).
 * @param offer.room of an invigilator; null is every room
 * @param offer.test its name; null is the whole society, future tests too
 */
export function sentencesOf(offer: {
  roles: readonly Role[]
  room: string | null
  test: string | null
}): string[] {
  const { roles, room, test } = offer
  const sentences = roles.map((role) =>
    role === 'invigilator' && room !== null
      ? `As an invigilator you look after ${nameRoom(room)} during the test: you see who is inside, and help candidates.`
      : ROLE_SENTENCES[role],
  )
  if (test === null) return [...sentences, 'This is for all tests, those to come too.']
  sentences.push(`This is for ${test}.`)
  if (roles.includes('invigilator')) {
    sentences.push('An invigilator’s role ends when the test is over.')
  }
  return sentences
}

/** The finding of the team's page: 'Seven people, two of them owners'. @param of.owners one at least (product 7.7.8) */
export function teamInWords({ people, owners }: { people: number; owners: number }): string {
  if (people === 1) return 'One person, who is the owner'
  const them = `${numberWord(people)} people`
  if (owners === people) return `${them}, ${people === 2 ? 'both' : 'all of them'} owners`
  return `${them}, ${numberWord(owners).toLowerCase()} of them ${owners === 1 ? 'an owner' : 'owners'}`
}
