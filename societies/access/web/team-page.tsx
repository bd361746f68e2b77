import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { teamInWords } from '../../kit/role-words.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { Top } from '../../kit/web/console/top.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { listInvitations, listMembers } from '../contract.ts'
import { type Invitation, Invitations } from './invitations.tsx'
import { InviteForm } from './invite-form.tsx'
import { Members, type Person, peopleOf } from './members.tsx'
import { PersonDialog } from './person-dialog.tsx'

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
  // Mails go out meanwhile, so it is read again and again.
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
  return (
    <>
      <Top
        title="Team"
        headline={teamInWords({ people: present.length, owners: owners.length })}
        acts={invite('max-md:hidden xl:hidden')}
      >
        A role says what a member may do. Members who are on an assessment’s list of candidates have
        no role in it.
      </Top>
      <OneOwner
        isLonely={present.length === 1}
        ownerCount={owners.length}
        isAsked={invitations.some(
          ({ state, roles }) => state === 'pending' && roles.includes('owner'),
        )}
      />
      <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_380px] xl:gap-x-14">
        <div className="min-w-0">
          <Members people={people} onOpen={({ userId }) => setOpened(userId)} />
          {/* On a phone the people come first. */}
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

/** Warns of a single owner; calmly where a second one is invited already. */
function OneOwner(props: { isLonely: boolean; ownerCount: number; isAsked: boolean }) {
  const { isLonely, ownerCount, isAsked } = props
  if (ownerCount !== 1) return null
  if (isAsked) return <p className="mb-6 text-ink-2">A second owner is invited.</p>
  return (
    <p className="warning mb-6">
      <CircleAlert size={18} aria-hidden />
      <span>
        <b className="font-semibold">
          {isLonely ? 'You are the only member.' : 'You are the only owner.'}
        </b>{' '}
        If you leave, nobody can let others in. Invite a second owner.
      </span>
    </p>
  )
}

const isOwner = ({ roles }: Person) => roles.some(({ role }) => role === 'owner')
