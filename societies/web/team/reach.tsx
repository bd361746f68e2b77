import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ROOM_LENGTH } from '../../contract.ts'
import { ROLE_WORDS } from '../../role-words.ts'
import { ROLES, type Role } from '../../roles.ts'
import { zoneDay } from '../../zone-time.ts'
import { nameOfAssessment } from '../console/console.tsx'
import { type ListedAssessment, societyAssessmentsQuery } from '../console/queries.ts'
import { endOfDay } from './end-of-day.ts'
import { roomsQuery } from './queries.ts'

/** What a form holds of roles, for what they are and until when. */
export interface Reach {
  roles: Role[]
  /** null is all, those to come too */
  assessments: string[] | null
  /** the last day as yyyy-mm-dd, in the society's zone; '' is no end */
  lastDay: string
  room: string
}

export const NO_REACH: Reach = { roles: [], assessments: null, lastDay: '', room: '' }

const isOwner = ({ roles }: Reach) => roles.includes('owner')

/** As the server takes it: an owner has all, without an end; a room is an invigilator's. */
export function asked(reach: Reach, timeZone: string) {
  const { roles, assessments, lastDay, room } = reach
  return {
    assessments: isOwner(reach) ? null : assessments,
    until: isOwner(reach) || !lastDay ? null : endOfDay(lastDay, timeZone).toISOString(),
    room: roles.includes('invigilator') && room.trim() ? room.trim() : null,
  }
}

/** 'Morning, Afternoon' of codes; 'all assessments'. What was deleted keeps its code. */
export function namesOf(codes: readonly string[], known: readonly ListedAssessment[]): string[] {
  return codes.map((code) => {
    const found = known.find((one) => one.code === code)
    return found ? nameOfAssessment(found) : code
  })
}

/** The end of a role: '31 Jan 2027', its last day; 'no end'. */
export function untilInWords(until: string | null, timeZone: string, nowMs: number): string {
  return until === null ? 'no end' : zoneDay(Date.parse(until) - 1, timeZone, nowMs)
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

/** For which assessments, in which room, until when. */
export function ReachFields(props: {
  society: { id: string; timeZone: string }
  reach: Reach
  onChange: (reach: Reach) => void
}) {
  const { society, reach, onChange } = props
  const id = useId()
  const rooms = useQuery({
    ...roomsQuery(society.id),
    enabled: reach.roles.includes('invigilator'),
  })
  if (isOwner(reach)) {
    return <p className="hint">An owner has all assessments, without an end.</p>
  }
  return (
    <>
      <Where society={society.id} reach={reach} onChange={onChange} />
      {reach.roles.includes('invigilator') && (
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
      <div>
        <label className="label" htmlFor={`${id}-until`}>
          Last day
        </label>
        <input
          id={`${id}-until`}
          type="date"
          className="field"
          value={reach.lastDay}
          aria-describedby={`${id}-until-hint`}
          onChange={(event) => onChange({ ...reach, lastDay: event.target.value })}
        />
        <p id={`${id}-until-hint`} className="hint mt-1">
          Empty: no end. Volunteers leave; an end spares you the thought.
        </p>
      </div>
    </>
  )
}

function Where(props: { society: string; reach: Reach; onChange: (reach: Reach) => void }) {
  const { reach, onChange } = props
  const name = useId()
  const known = useQuery(societyAssessmentsQuery(props.society))
  const offered = (known.data ?? []).filter(({ isDeleted }) => !isDeleted)
  const { assessments } = reach
  const toggle = (code: string, isOn: boolean) =>
    onChange({
      ...reach,
      assessments: isOn
        ? [...(assessments ?? []), code]
        : (assessments ?? []).filter((one) => one !== code),
    })
  return (
    <fieldset>
      <legend className="label">Where</legend>
      <label className="flex min-h-8 items-center gap-2.5 max-md:min-h-11">
        <input
          type="radio"
          name={name}
          checked={assessments === null}
          onChange={() => onChange({ ...reach, assessments: null })}
        />
        All assessments, those to come too
      </label>
      <label className="flex min-h-8 items-center gap-2.5 max-md:min-h-11">
        <input
          type="radio"
          name={name}
          checked={assessments !== null}
          disabled={offered.length === 0}
          onChange={() => onChange({ ...reach, assessments: assessments ?? [] })}
        />
        Only some
      </label>
      {assessments !== null && (
        <ul className="ml-6.5">
          {offered.map((one) => (
            <li key={one.code}>
              <label className="flex min-h-8 items-center gap-2.5 max-md:min-h-11">
                <input
                  type="checkbox"
                  checked={assessments.includes(one.code)}
                  onChange={(event) => toggle(one.code, event.target.checked)}
                />
                <span>
                  {nameOfAssessment(one)} <small className="hint">{one.code}</small>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
