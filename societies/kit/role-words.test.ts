import { describe, expect, it } from 'vitest'
import {
  mayOf,
  nameForInvited,
  nameRoom,
  roomTitle,
  sentencesOf,
  teamInWords,
} from './role-words.ts'

describe('the sentence about a team', () => {
  it.each([
    [1, 1, 'One person, who is the owner'],
    [2, 2, 'Two people, both owners'],
    [2, 1, 'Two people, one of them an owner'],
    [7, 2, 'Seven people, two of them owners'],
    [3, 3, 'Three people, all of them owners'],
    [14, 1, '14 people, one of them an owner'],
  ])('of %i with %i owners reads %s', (people, owners, words) => {
    expect(teamInWords({ people, owners })).toBe(words)
  })
})

describe('a role in words', () => {
  it.each([
    ['invigilator', '2.11', 'look after room 2.11'],
    ['invigilator', 'Aula Magna', 'look after Aula Magna'],
    ['invigilator', null, 'look after every room'],
    ['owner', null, 'do everything'],
  ] as const)('for %s, room %s, reads: %s', (role, room, words) =>
    expect(mayOf(role, room)).toBe(words),
  )
})

it.each([
  ['2.11', 'room 2.11', 'Room 2.11'],
  ['B12', 'room B12', 'Room B12'],
  ['Aula Magna', 'Aula Magna', 'Aula Magna'],
  ['Room A', 'Room A', 'Room A'],
])('a room written %j reads %s, and alone %s', (room, inSentence, alone) => {
  expect([nameRoom(room), roomTitle(room)]).toEqual([inSentence, alone])
})

it('an assessment is listed by its name first, for readers who do not know its code', () => {
  const one = { code: 'AUT26M', society: 'Finance Club', session: 'Morning', season: 'Autumn 2026' }
  expect(nameForInvited(one)).toBe('Finance Club · Morning · Autumn 2026 (AUT26M)')
  expect(nameForInvited({ ...one, session: null, season: null })).toBe('Finance Club (AUT26M)')
})

it('an invitation has a sentence for each role, then what it is for', () => {
  const offer = { roles: ['author', 'invigilator'], room: '2.11', test: 'Morning' } as const
  expect(sentencesOf(offer)).toEqual([
    'As an author you write the questions and their keys, and set when the test takes place.',
    'As an invigilator you look after room 2.11 during the test: you see who is inside, and help candidates.',
    'This is for Morning.',
    'An invigilator’s role ends when the test is over.',
  ])
  const all = { roles: ['invigilator'], room: null, test: null } as const
  expect(sentencesOf(all)).toEqual([
    'As an invigilator you are there during the test: you see who is inside, and help candidates.',
    'This is for all tests, those to come too.',
  ])
})
