import { Ellipsis } from 'lucide-react'
import { useUser } from '../../../platform/web/session.tsx'
import { mayOf, ROLE_WORDS } from '../../role-words.ts'
import type { Role } from '../../roles.ts'
import { Section } from '../kit/section.tsx'
import type { Person } from './people.ts'
import { useWhere } from './reach.tsx'

const COLUMNS =
  'md:grid md:grid-cols-[204px_minmax(0,1fr)_180px_44px] md:gap-x-5 max-md:relative max-md:pr-12'

/** Who is in the society, a row a person with all roles; below, who was. */
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
      {before.length > 0 && <Before people={before} />}
      <FourRoles />
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
      {/* One below the other where somebody has several. */}
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

/** Roles end and stay in the list. */
function Before({ people }: { people: Person[] }) {
  return (
    <details className="mt-4 text-[13.5px]">
      <summary className="quiet-link w-max cursor-pointer py-3 md:py-1">
        {people.length === 1 ? 'One person' : `${people.length} people`} before
      </summary>
      <ul className="mt-2">
        {people.map(({ userId, name, email, past }) => (
          <li key={userId} className="border-line border-b py-2 text-ink-2">
            {name}, {email}: {[...new Set(past.map(({ role }) => role))].join(', ')}
          </li>
        ))}
      </ul>
    </details>
  )
}

const ROLES_SHOWN: Role[] = ['owner', 'author', 'invigilator', 'reviewer']

function FourRoles() {
  return (
    <details className="mt-4 text-[13.5px]">
      <summary className="quiet-link w-max cursor-pointer py-3 md:py-1">
        The four roles in full
      </summary>
      <dl className="mt-2 max-w-[80ch]">
        {ROLES_SHOWN.map((role) => (
          <div key={role} className="border-line border-b py-2">
            <dt className="font-semibold">
              May {ROLE_WORDS[role].may} <span className="font-normal">({role})</span>
            </dt>
            <dd className="text-ink-2">{ROLE_WORDS[role].besides}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
