import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { listMembers } from '../../contract.ts'

export type Member = ResponseOf<typeof listMembers>[number]

/** Somebody with all roles that they have or had. */
export interface Person {
  userId: string
  name: string
  email: string
  /** in force */
  roles: Member[]
  /** ended, or over with their test */
  past: Member[]
}

/** A society's members, a person each, in the order of the list. */
export function peopleOf(members: readonly Member[]): Person[] {
  const people = new Map<string, Person>()
  for (const member of members) {
    const { userId, name, email } = member
    const person = people.get(userId) ?? { userId, name, email, roles: [], past: [] }
    ;(member.isInForce ? person.roles : person.past).push(member)
    people.set(userId, person)
  }
  return [...people.values()]
}
