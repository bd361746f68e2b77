import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ROOM_LENGTH } from '../../contract.ts'
import { ROLE_WORDS } from '../../role-words.ts'
import { ROLES, type Role } from '../../roles.ts'
import { nameOfAssessment, useSociety } from '../console/console.tsx'
import { societyAssessmentsQuery } from '../console/queries.ts'
import { roomsQuery } from './queries.ts'

/** What a form holds of roles and for what they are. */
export interface Reach {
  roles: Role[]
  /** the code of a test; null is the whole society */
  assessment: string | null
  room: string
}

export const NO_REACH: Reach = { roles: [], assessment: null, room: '' }

const isOwner = ({ roles }: Reach) => roles.includes('owner')

/** As the server takes it: an owner has the whole society; a room is an invigilator's. */
export function asked(reach: Reach) {
  const { roles, assessment, room } = reach
  return {
    assessment: isOwner(reach) ? null : assessment,
    room: roles.includes('invigilator') && room.trim() ? room.trim() : null,
  }
}

/** Says for what a role is: 'Autumn 2026, Morning' or 'the whole society'. */
export function useWhere(): (role: { assessment: string | null }) => string {
  const { society } = useSociety()
  const known = useQuery(societyAssessmentsQuery(society.id))
  return ({ assessment }) => {
    if (assessment === null) return 'the whole society'
    const found = known.data?.find(({ code }) => code === assessment)
    return found ? nameOfAssessment(found) : assessment
  }
}

/** The roles, each as what one may by it. Several for an invitation, one where one is changed. */
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
      <legend className="label">They may</legend>
      <ul>
        {ROLES.map((role) => (
          <li key={role}>
            <label className="grid min-h-11 grid-cols-[26px_1fr] items-start py-1.5">
              <input
                type={kind}
                name={name}
                className="mt-0.75"
                checked={reach.roles.includes(role)}
                onChange={(event) => choose(role, event.target.checked)}
              />
              <span className="text-[13.5px]">
                <b className="font-semibold">{ROLE_WORDS[role].may}</b> ({role})
                <small className="hint block">{ROLE_WORDS[role].besides}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** For the society or one test, and in which room. */
export function ReachFields(props: {
  society: string
  reach: Reach
  onChange: (reach: Reach) => void
}) {
  const { society, reach, onChange } = props
  const id = useId()
  const known = useQuery(societyAssessmentsQuery(society))
  const isInvigilator = reach.roles.includes('invigilator')
  const rooms = useQuery({ ...roomsQuery(society), enabled: isInvigilator })
  if (isOwner(reach)) return <p className="hint">An owner has the whole society.</p>
  return (
    <>
      <div>
        <label className="label" htmlFor={`${id}-where`}>
          Where
        </label>
        <select
          id={`${id}-where`}
          className="field w-full"
          value={reach.assessment ?? ''}
          aria-describedby={`${id}-where-hint`}
          onChange={(event) => onChange({ ...reach, assessment: event.target.value || null })}
        >
          <option value="">The whole society, tests to come too</option>
          {(known.data ?? []).map((one) => (
            <option key={one.code} value={one.code}>
              {nameOfAssessment(one)} ({one.code})
            </option>
          ))}
        </select>
        <p id={`${id}-where-hint`} className={isInvigilator ? 'hint mt-1' : ''}>
          {isInvigilator && 'For one test, an invigilator’s role ends when the test is over.'}
        </p>
      </div>
      {isInvigilator && (
        <div>
          <label className="label" htmlFor={`${id}-room`}>
            Room
          </label>
          <input
            id={`${id}-room`}
            className="field"
            maxLength={ROOM_LENGTH}
            list={`${id}-rooms`}
            value={reach.room}
            placeholder="2.11"
            aria-describedby={`${id}-room-hint`}
            onChange={(event) => onChange({ ...reach, room: event.target.value })}
          />
          <datalist id={`${id}-rooms`}>
            {(rooms.data ?? []).map((room) => (
              <option key={room} value={room} />
            ))}
          </datalist>
          <p id={`${id}-room-hint`} className="hint mt-1">
            As your list of candidates has it. Empty: every room.
          </p>
        </div>
      )}
    </>
  )
}
