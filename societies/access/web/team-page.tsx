import { CircleAlert, Ellipsis } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { mayOf, ROLE_WORDS, teamInWords } from '../../kit/role-words.ts'
import { ROLES } from '../../kit/roles.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Section, Top } from '../../kit/web/section.tsx'
import { listInvitations, listMembers } from '../contract.ts'
import { type Invitation, Invitations, InviteForm } from './invitations.tsx'
import { type Person, PersonDialog } from './person-dialog.tsx'
import { useWhere } from './reach.tsx'

/** /organise/:society/team: members and invitations (product 7.12). */
export function Team() {
  const { may } = useSociety()
  if (may('manage_members')) return <OwnersTeam />
  return (
    <Top title="Team" headline="Owners manage the team">
      They invite people, and change or end roles. Your own roles are listed under Society.
    </Top>
  )
}

function OwnersTeam() {
  const params = { society: useSociety().society.id }
  const members = useEndpoint(listMembers, { params })
  // The list is polled because mails are sent in the background.
  const invitations = useEndpoint(listInvitations, { params }, { every: 10_000 })
  return (
    <Loaded of={members} name="team">
      {(people) => (
        <Loaded of={invitations} name="team">
          {(asked) => <Shown people={peopleOf(people)} invitations={asked} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function peopleOf(members: ResponseOf<typeof listMembers>): Person[] {
  const people = new Map<string, Person>()
  for (const member of members) {
    const { userId, name, email } = member
    const person = people.get(userId) ?? { userId, name, email, roles: [], past: [] }
    ;(member.isInForce ? person.roles : person.past).push(member)
    people.set(userId, person)
  }
  return [...people.values()]
}

const isOwner = ({ roles }: Person) => roles.some(({ role }) => role === 'owner')

function Shown({ people, invitations }: { people: Person[]; invitations: Invitation[] }) {
  const [opened, setOpened] = useState<string | null>(null)
  const [isInviting, setIsInviting] = useState(false)
  const present = people.filter(({ roles }) => roles.length > 0)
  const owners = present.filter(isOwner)
  const person = people.find(({ userId }) => userId === opened)
  const form = <InviteForm onSent={() => setIsInviting(false)} />
  const invite = (className: string) => (
    <button type="button" className={`btn ${className}`} onClick={() => setIsInviting(true)}>
      Invite people
    </button>
  )
  const isAsked = invitations.some(
    ({ state, roles }) => state === 'pending' && roles.includes('owner'),
  )
  return (
    <>
      <Top
        title="Team"
        headline={teamInWords({ people: present.length, owners: owners.length })}
        acts={invite('max-md:hidden xl:hidden')}
      >
        A role determines what a member can do. Members on an assessment’s list of candidates have
        no role in it.
      </Top>
      {owners.length === 1 &&
        (isAsked ? (
          <p className="mb-6 text-ink-2">A second owner is invited.</p>
        ) : (
          <p className="warning mb-6">
            <CircleAlert size={18} aria-hidden />
            <span>
              <b className="font-semibold">
                {present.length === 1 ? 'You are the only member.' : 'You are the only owner.'}
              </b>{' '}
              If you leave, no one can invite others. Invite a second owner.
            </span>
          </p>
        ))}
      <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_380px] xl:gap-x-14">
        <div className="min-w-0">
          <Members people={people} onOpen={setOpened} />
          {/* On a phone, the members come first. */}
          {invite('mt-5 w-full md:hidden')}
          <Invitations invitations={invitations} />
        </div>
        <aside aria-label="Invite" className="max-xl:hidden">
          <div className="card px-5.5 pt-5 pb-5.5">
            <h2 className="mb-4">Invite people</h2>
            {form}
          </div>
        </aside>
      </div>
      <Dialog open={isInviting} onOpenChange={setIsInviting} title="Invite people">
        {form}
      </Dialog>
      {person && (
        <PersonDialog
          key={person.userId}
          person={person}
          isLastOwner={owners.length === 1 && isOwner(person)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

const COLUMNS =
  'md:grid md:grid-cols-[236px_minmax(0,1fr)_180px_44px] md:gap-x-5 max-md:relative max-md:pr-12'

function Members({ people, onOpen }: { people: Person[]; onOpen: (userId: string) => void }) {
  const before = people.filter(({ roles }) => roles.length === 0)
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
        {people.map(
          (person) =>
            person.roles.length > 0 && (
              <Row key={person.userId} person={person} onOpen={() => onOpen(person.userId)} />
            ),
        )}
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
                Can {ROLE_WORDS[role].may} <span className="font-normal">({role})</span>
              </dt>
              <dd className="text-ink-2">{ROLE_WORDS[role].also}</dd>
            </div>
          ))}
        </dl>
      </Folded>
    </Section>
  )
}

function Row({ person, onOpen }: { person: Person; onOpen: () => void }) {
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
      {/* A member's roles are stacked. */}
      <div className="md:col-span-2 md:grid md:gap-y-2.5">
        {person.roles.map((member) => (
          <div
            key={member.id}
            className="max-md:mt-1.5 md:grid md:grid-cols-[minmax(0,1fr)_180px] md:gap-x-5"
          >
            <p className="text-pretty text-ink-2">
              <b className="font-semibold text-ink">Can {mayOf(member.role, member.room)}.</b>{' '}
              <span className="max-md:hidden">{ROLE_WORDS[member.role].also}</span>
            </p>
            <p className="max-md:text-ink-2">{whereOf(member)}</p>
          </div>
        ))}
      </div>
      <button
        type="button"
        aria-label={`Roles of ${person.name}`}
        className="-mt-2.5 -mr-3 grid size-11 place-items-center text-ink-2 hover:text-ink max-md:absolute max-md:top-3.5 max-md:right-0 max-md:mr-0"
        onClick={onOpen}
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
