import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { mayOf, ROLE_WORDS } from '../../kit/role-words.ts'
import { ROLES } from '../../kit/roles.ts'
import { Section } from '../../kit/web/section.tsx'
import type { listMembers } from '../contract.ts'
import { useWhere } from './reach.tsx'

export type Member = ResponseOf<typeof listMembers>[number]

/** A member with all roles that they have or had. */
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

const COLUMNS =
  'md:grid md:grid-cols-[204px_minmax(0,1fr)_180px_44px] md:gap-x-5 max-md:relative max-md:pr-12'

/** The society's members, a row for each with all their roles; below, former ones. */
export function Members(props: { people: Person[]; onOpen: (person: Person) => void }) {
  const now = props.people.filter(({ roles }) => roles.length > 0)
  const before = props.people.filter(({ roles }) => roles.length === 0)
  return (
    <Section title="Members">
      <div
        aria-hidden
        className={`${COLUMNS} border-line border-b py-2 text-[12.5px] text-ink-2 max-md:hidden!`}
      >
        <span>Person</span>
        <span>May</span>
        <span>Where</span>
      </div>
      <ul>
        {now.map((person) => (
          <Row key={person.userId} person={person} onOpen={props.onOpen} />
        ))}
      </ul>
      {before.length > 0 && (
        <Folded title={`${before.length === 1 ? 'One person' : `${before.length} people`} before`}>
          <ul className="mt-2">
            {before.map(({ userId, name, email, past }) => (
              <li key={userId} className="border-line border-b py-2 text-ink-2">
                {name}, {email}: {[...new Set(past.map(({ role }) => role))].join(', ')}
              </li>
            ))}
          </ul>
        </Folded>
      )}
      <Folded title="The four roles in full">
        <dl className="mt-2 max-w-[80ch]">
          {ROLES.map((role) => (
            <div key={role} className="border-line border-b py-2">
              <dt className="font-semibold">
                May {ROLE_WORDS[role].may} <span className="font-normal">({role})</span>
              </dt>
              <dd className="text-ink-2">{ROLE_WORDS[role].besides}</dd>
            </div>
          ))}
        </dl>
      </Folded>
    </Section>
  )
}

function Row({ person, onOpen }: { person: Person; onOpen: (person: Person) => void }) {
  const user = useUser()
  const whereOf = useWhere()
  return (
    <li className={`${COLUMNS} border-line border-b py-3.5 text-[13.5px]`}>
      <div className="min-w-0">
        <h3 className="truncate font-sans text-[14.5px]! tracking-normal">
          <span className="font-semibold">{person.name}</span>
          {person.userId === user.id && <span className="font-normal text-ink-2"> you</span>}
        </h3>
        <p className="hint truncate" title={person.email}>
          {person.email}
        </p>
      </div>
      {/* One below the other where a member has several. */}
      <div className="md:col-span-2 md:grid md:gap-y-2.5">
        {person.roles.map((member) => (
          <div
            key={member.id}
            className="max-md:mt-1.5 md:grid md:grid-cols-[minmax(0,1fr)_180px] md:gap-x-5"
          >
            <p className="text-pretty text-ink-2">
              <b className="font-semibold text-ink">May {mayOf(member.role, member.room)}.</b>{' '}
              <span className="max-md:hidden">{ROLE_WORDS[member.role].besides}</span>
            </p>
            <p className="max-md:text-ink-2">{whereOf(member)}</p>
          </div>
        ))}
      </div>
      <button
        type="button"
        aria-label={`Roles of ${person.name}`}
        className="-mt-2.5 -mr-3 grid size-11 place-items-center text-ink-2 hover:text-ink max-md:absolute max-md:top-3.5 max-md:right-0 max-md:mr-0"
        onClick={() => onOpen(person)}
      >
        <Ellipsis size={18} aria-hidden />
      </button>
    </li>
  )
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="mt-4 text-[13.5px]">
      <summary className="quiet-link w-max cursor-pointer py-3 md:py-1">{title}</summary>
      {children}
    </details>
  )
}
