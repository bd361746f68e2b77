import { describe, expect, it } from 'vitest'
import { type Act, may, mayWith, PERMISSIONS, ROLES } from './roles.ts'

/** Act, then owner, author, invigilator, reviewer: yes, no, or how far. */
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

describe('several roles together', () => {
  it.each([
    [[], 'read_keys', []],
    [['invigilator'], 'read_keys', []],
    [['reviewer'], 'read_keys', ['after_close']],
    [['reviewer', 'author'], 'read_keys', 'all'],
    [['author', 'invigilator'], 'watch_live', ['counts', 'own_room']],
    [['author', 'reviewer'], 'rule_on_question', ['propose']],
  ] as const)('%j can %s: %j', (roles, act, limits) => {
    expect(mayWith(roles, act)).toEqual(limits)
  })
})
