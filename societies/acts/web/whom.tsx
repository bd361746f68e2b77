import { nameRoom, roomTitle } from '../../kit/role-words.ts'
import { type Act, may, type Role } from '../../kit/roles.ts'
import type { MySociety } from '../../kit/web/console/queries.ts'
import { Segments } from '../../kit/web/fields.tsx'
import type { ActedTo } from '../contract.ts'

/** Whom an act is for. */
export interface ActedOn {
  id: string
  username: string
  name: string | null
  room: string | null
  where: 'absent' | 'verified' | 'running' | 'submitted'
}

/** Whom an act is for, as the dialog's switch offers it. */
export interface Whom {
  id: string
  /** 'The 3 ticked', 'Room 2.11', 'Everybody' */
  label: string
  /** 'Mei Kettler', '3 candidates', 'room 2.11', 'everybody' */
  name: string
  to: ActedTo
}

export const everybody: Whom = {
  id: 'all',
  label: 'Everybody',
  name: 'everybody',
  to: { candidates: null, room: null },
}

export const ofRoom = (room: string): Whom => ({
  id: `room ${room}`,
  label: roomTitle(room),
  name: nameRoom(room),
  to: { candidates: null, room },
})

/** Of the dialog of an act. */
export interface DialogProps {
  options: readonly Whom[]
  onClose: () => void
  onDone: () => void
}

/** The ticked ones, their room where they share one, and everybody. */
export function whomOf(chosen: readonly Omit<ActedOn, 'where'>[], all: boolean): Whom[] {
  const [only] = chosen
  if (!only) return all ? [everybody] : []
  const count = chosen.length
  const room = chosen.every((one) => one.room === only.room) ? only.room : null
  return [
    {
      id: 'ticked',
      label: count === 1 ? nameOf(only) : `The ${count} ticked`,
      name: count === 1 ? nameOf(only) : `${count} candidates`,
      to: { candidates: chosen.map(({ id }) => id), room: null },
    },
    ...(room ? [ofRoom(room)] : []),
    ...(all ? [everybody] : []),
  ]
}

export const nameOf = ({ name, username }: Pick<ActedOn, 'name' | 'username'>) => name ?? username

/** The room to which one's role is bound for an act; null: every room. */
export function ownRoomOf(roles: MySociety['roles'], act: Act): string | null {
  const able = roles.filter(({ role }) => may(role as Role, act) !== null)
  return able.length > 0 && able.every(({ room }) => room !== null) ? (able[0]?.room ?? null) : null
}

/** Chooses whom an act is for. */
export function WhomSwitch(props: {
  options: readonly Whom[]
  value: Whom
  onChange: (whom: Whom) => void
}) {
  if (props.options.length < 2) return null
  return (
    <Segments
      legend="For whom"
      className="max-w-full flex-wrap justify-self-start"
      options={props.options.map(({ id, label }) => [id, label] as const)}
      value={props.value.id}
      onChange={(id) => props.onChange(props.options.find((one) => one.id === id) ?? props.value)}
    />
  )
}
