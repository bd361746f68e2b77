import { describe, expect, it } from 'vitest'
import {
  mayOf,
  nameForInvited,
  nameRoom,
  roomTitle,
  sentencesOf,
  teamInWords,
} from './role-words.ts'
import { type Act, may, mayWith, PERMISSIONS, ROLES } from './roles.ts'

/** Each row has an action and the permission of owner, author, invigilator and reviewer: yes, no, or a limit. */
const TABLE = `
see_assessments        | yes          | yes             | yes            | yes
read_questions         | yes          | yes             | no             | after_close
read_keys              | yes          | yes             | no             | after_close
write_questions        | yes          | yes             | no             | no
set_rules_before_start | yes          | yes             | no             | no
set_rules_after_start  | yes          | no              | no             | no
see_names              | yes          | no              | yes            | noted_on_request
manage_candidates      | yes          | no              | reset_password | no
watch_live             | yes          | counts          | own_room       | yes
simulate               | yes          | yes             | no             | no
give_incident_time     | yes          | no              | yes            | no
give_any_time          | yes          | no              | no             | no
message_candidates     | yes          | no              | yes            | no
report_incident        | yes          | no              | yes            | yes
decide_incident        | yes          | no              | no             | not_own_report
void_event             | yes          | no              | no             | yes
see_scores             | yes          | item_statistics | no             | yes
rule_on_question       | yes          | propose         | no             | propose
accept_late_answers    | yes          | no              | no             | yes
release_results        | yes          | no              | no             | without_names
read_log               | yes          | own_actions     | own_actions    | yes
manage_members         | yes          | no              | no             | no
edit_society           | yes          | no              | no             | no
delete_test            | yes          | no              | no             | no`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [Act, ...string[]])

describe('the permissions of a role', () => {
  it.each(TABLE)('for %s: owner %s, author %s, invigilator %s, reviewer %s', (act, ...cells) => {
    const written = ROLES.map((role) => {
      const answer = may(role, act)
      return answer === 'all' ? 'yes' : (answer ?? 'no')
    })
    expect(written).toEqual(cells)
  })

  it('are defined for every action', () => {
    expect(TABLE.map(([act]) => act)).toEqual(Object.keys(PERMISSIONS))
  })
})

it.each([
  [[], 'read_keys', []],
  [['invigilator'], 'read_keys', []],
  [['reviewer'], 'read_keys', ['after_close']],
  [['reviewer', 'author'], 'read_keys', 'all'],
  [['author', 'invigilator'], 'watch_live', ['counts', 'own_room']],
  [['author', 'reviewer'], 'rule_on_question', ['propose']],
] as const)('the roles %j together can %s: %j', (roles, act, limits) => {
  expect(mayWith(roles, act)).toEqual(limits)
})

it.each([
  [1, 1, 'One person, who is the owner'],
  [2, 2, 'Two people, both owners'],
  [2, 1, 'Two people, one of them an owner'],
  [7, 2, 'Seven people, two of them owners'],
  [3, 3, 'Three people, all of them owners'],
  [14, 1, '14 people, one of them an owner'],
])('a team of %i with %i owners reads %s', (people, owners, words) => {
  expect(teamInWords({ people, owners })).toBe(words)
})

it.each([
  ['invigilator', '2.11', 'look after room 2.11'],
  ['invigilator', null, 'look after every room'],
  ['owner', null, 'do everything'],
] as const)('the role of %s, room %s, reads: %s', (role, room, words) => {
  expect(mayOf(role, room)).toBe(words)
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

it('an invitation has a sentence for each role, then its scope', () => {
  const offer = { roles: ['author', 'invigilator'], room: '2.11', test: 'Morning' } as const
  expect(sentencesOf(offer)).toEqual([
    'As an author, you write the questions and their keys, and set when the test takes place.',
    'As an invigilator, you look after room 2.11 during the test. You see who is taking it, and help candidates.',
    'This is for Morning.',
    'An invigilator’s role ends when the test is over.',
  ])
  const all = { roles: ['invigilator'], room: null, test: null } as const
  expect(sentencesOf(all)).toEqual([
    'As an invigilator, you are there during the test. You see who is taking it, and help candidates.',
    'This is for all tests, including future ones.',
  ])
})
