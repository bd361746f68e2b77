import { nameRoom, roomTitle } from '../../kit/role-words.ts'
import { Segments } from '../../kit/web/fields.tsx'
import type { ActedTo } from '../contract.ts'

export interface ActedOn {
  id: string
  username: string
  name: string | null
  room: string | null
  where: 'absent' | 'verified' | 'running' | 'submitted'
}

export interface Whom {
  /** Examples: 'The 3 ticked', 'Room 2.11', 'Everybody'. */
  label: string
  /** Examples: 'Mei Kettler', '3 candidates', 'room 2.11', 'everybody'. */
  name: string
  to: ActedTo
}

export const everybody: Whom = {
  label: 'Everybody',
  name: 'everybody',
  to: { candidates: null, room: null },
}

export const ofRoom = (room: string): Whom => ({
  label: roomTitle(room),
  name: nameRoom(room),
  to: { candidates: null, room },
})

export interface DialogProps {
  options: readonly Whom[]
  onClose: () => void
  onDone: () => void
}

export function whomOf(chosen: readonly Omit<ActedOn, 'where'>[], all: boolean): Whom[] {
  const [first, ...others] = chosen
  if (!first) return all ? [everybody] : []
  const room = others.every((one) => one.room === first.room) ? first.room : null
  const name = others.length === 0 ? nameOf(first) : null
  return [
    {
      label: name ?? `The ${chosen.length} ticked`,
      name: name ?? `${chosen.length} candidates`,
      to: { candidates: chosen.map(({ id }) => id), room: null },
    },
    ...(room ? [ofRoom(room)] : []),
    ...(all ? [everybody] : []),
  ]
}

export const nameOf = ({ name, username }: Pick<ActedOn, 'name' | 'username'>) => name ?? username

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
      options={props.options.map(({ label }) => [label, label] as const)}
      value={props.value.label}
      onChange={(label) =>
        props.onChange(props.options.find((one) => one.label === label) ?? props.value)
      }
    />
  )
}
