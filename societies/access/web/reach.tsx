import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { listSocietyAssessments } from '../../kit/contract.ts'
import { ROLE_WORDS } from '../../kit/role-words.ts'
import { ROLES, type Role } from '../../kit/roles.ts'
import { AskButton } from '../../kit/web/ask.tsx'
import { nameOfAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { mySocietiesQuery } from '../../kit/web/console/queries.ts'
import { SelectField, TextField, Tick } from '../../kit/web/fields.tsx'
import { leaveSociety, listRooms, ROOM_LENGTH } from '../contract.ts'

export interface Reach {
  roles: Role[]
  /** The code of a test; null means the whole society. */
  assessment: string | null
  room: string
}

export const NO_REACH: Reach = { roles: [], assessment: null, room: '' }

/** Converts the form for the server. An owner always has the whole society, and only invigilators have a room. */
export const asked = ({ roles, assessment, room }: Reach) => ({
  assessment: roles.includes('owner') ? null : assessment,
  room: roles.includes('invigilator') && room.trim() ? room.trim() : null,
})

export function useTests() {
  const { society } = useSociety()
  return useEndpoint(listSocietyAssessments, { params: { society: society.id } }).data ?? []
}

/** Returns a function that names a role's scope: 'Autumn 2026, Morning' or 'the whole society'. */
export function useWhere(): (role: { assessment: string | null }) => string {
  const tests = useTests()
  return ({ assessment }) => {
    if (assessment === null) return 'the whole society'
    const found = tests.find(({ code }) => code === assessment)
    return found ? nameOfAssessment(found) : assessment
  }
}

/** The roles, described by what each allows. An invitation can have several, a role change only one. */
export function RoleFields(props: {
  reach: Reach
  onChange: (reach: Reach) => void
  kind: 'checkbox' | 'radio'
}) {
  const { reach, onChange, kind } = props
  const name = useId()
  const choose = (role: Role, isOn: boolean) =>
    onChange({
      ...reach,
      roles:
        kind === 'radio'
          ? [role]
          : ROLES.filter((one) => (one === role ? isOn : reach.roles.includes(one))),
    })
  return (
    <fieldset>
      <legend className="label">They can</legend>
      {ROLES.map((role) => (
        <Tick
          key={role}
          kind={kind}
          name={name}
          className="min-h-11 py-1.5 text-[13.5px]"
          checked={reach.roles.includes(role)}
          onChange={(isOn) => choose(role, isOn)}
          label={
            <>
              <b className="font-semibold">{ROLE_WORDS[role].may}</b> ({role})
            </>
          }
          hint={ROLE_WORDS[role].also}
        />
      ))}
    </fieldset>
  )
}

export function ReachFields(props: { reach: Reach; onChange: (reach: Reach) => void }) {
  const { reach, onChange } = props
  const params = { society: useSociety().society.id }
  const tests = useTests()
  const isInvigilator = reach.roles.includes('invigilator')
  // These rooms are suggestions. The owner can type another one.
  const rooms = useEndpoint(listRooms, { params }, { enabled: isInvigilator })
  if (reach.roles.includes('owner')) return <p className="hint">An owner has the whole society.</p>
  return (
    <>
      <SelectField
        label="Where"
        hint={isInvigilator && 'An invigilator’s role for one test ends when the test is over.'}
        options={[
          ['', 'The whole society, including future tests'],
          ...tests.map((one) => [one.code, `${nameOfAssessment(one)} (${one.code})`] as const),
        ]}
        value={reach.assessment ?? ''}
        onChange={(code) => onChange({ ...reach, assessment: code || null })}
      />
      {isInvigilator && (
        <TextField
          label="Room"
          hint="As in your list of candidates. Leave empty for every room."
          placeholder="2.11"
          maxLength={ROOM_LENGTH}
          choices={rooms.data ?? []}
          value={reach.room}
          onChange={(event) => onChange({ ...reach, room: event.target.value })}
        />
      )}
    </>
  )
}

/** Ends all of the member's own roles after confirmation. For the last owner, it shows why that's not possible. */
export function LeaveSociety() {
  const { society } = useSociety()
  const navigate = useNavigate()
  const client = useQueryClient()
  return (
    <AskButton
      words="Leave this society"
      title={`Leave ${society.name}?`}
      text="Your roles end immediately. To return, you need a new invitation. Your actions stay in the log."
      endpoint={leaveSociety}
      input={{ params: { society: society.id } }}
      button={['Leave', 'Leaving…']}
      done={async () => {
        toast.success(`You have left ${society.name}`)
        client.setQueryData(mySocietiesQuery.queryKey, (mine) => {
          const societies = mine?.societies.filter(({ id }) => id !== society.id)
          return mine && societies && { ...mine, societies }
        })
        await navigate(URLS.organize, { replace: true })
      }}
    />
  )
}
