import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { listInvitations, listMembers } from '../../contract.ts'
import { teamInWords } from '../../role-words.ts'
import { useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { type Invitation, Invitations } from './invitations.tsx'
import { InviteForm } from './invite-form.tsx'
import { Members } from './members.tsx'
import { type Person, peopleOf } from './people.ts'
import { PersonDialog } from './person-dialog.tsx'

/** /organise/:society/team: members and invitations (product 7.12). */
export function Team() {
  const { may } = useSociety()
  if (may('manage_members')) return <OwnersTeam />
  return (
    <Top title="Team" headline="The team is in its owners’ hands">
      Owners invite people, change what they may, and end it. What you may yourself stands under
      Society.
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
  const person = people.find(({ userId }) => userId === opened) ?? null
  return (
    <>
      <Top
        title="Team"
        headline={teamInWords({ people: present.length, owners: owners.length })}
        acts={
          <button
            type="button"
            className="btn max-md:hidden xl:hidden"
            onClick={() => setIsInviting(true)}
          >
            Invite somebody
          </button>
        }
      >
        A role is a sentence about what somebody may do. Who is on a list of candidates has no role
        in that assessment.
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
          <button
            type="button"
            className="btn mt-5 w-full md:hidden"
            onClick={() => setIsInviting(true)}
          >
            Invite somebody
          </button>
          <Invitations invitations={invitations} />
        </div>
        <aside aria-label="Invite" className="max-xl:hidden">
          <div className="card px-5.5 pt-5 pb-5.5">
            <h2 className="mb-4">Invite somebody</h2>
            <InviteForm onSent={() => setIsInviting(false)} />
          </div>
        </aside>
      </div>
      <Dialog open={isInviting} onOpenChange={setIsInviting} title="Invite somebody">
        <InviteForm onSent={() => setIsInviting(false)} />
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

/** One owner is one too few, and calmly said where a second one is asked already. */
function OneOwner(props: { isLonely: boolean; ownerCount: number; isAsked: boolean }) {
  const { isLonely, ownerCount, isAsked } = props
  if (ownerCount !== 1) return null
  if (isAsked) return <p className="mb-6 text-ink-2">A second owner is invited.</p>
  return (
    <p className="warning mb-6">
      <CircleAlert size={18} aria-hidden />
      <span>
        <b className="font-semibold">{isLonely ? 'You are alone.' : 'You are the only owner.'}</b>{' '}
        If you leave, nobody can let others in. Please invite a second owner.
      </span>
    </p>
  )
}

const isOwner = ({ roles }: Person) => roles.some(({ role }) => role === 'owner')
