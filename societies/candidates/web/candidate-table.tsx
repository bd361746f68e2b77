import { Check, ChevronDown, Clock, FileText, type LucideIcon, Mail, Minus } from 'lucide-react'
import { FINDING_WORDS, isReady } from '../../../assessments/rehearsal.ts'
import { nameRoom } from '../../kit/role-words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { type Column, DataTable } from '../../kit/web/data-table.tsx'
import { zoneTimeOrDay } from '../../kit/zone-time.ts'
import { exemptionsOf } from '../../setup/exemptions.ts'
import type { CandidateFacts } from '../contract.ts'
import { minutesOf } from '../credential-letter.ts'
import { CandidateDetails } from './candidate-details.tsx'
import { type PasswordState, passwordStateOf } from './mail-words.ts'

const NAME = {
  id: 'name',
  head: 'Candidate',
  className: 'max-md:py-2!',
  text: (one: CandidateFacts) => one.name ?? one.username,
  cell: (one: CandidateFacts) => (
    <span className="hint block text-ink-2 md:hidden">
      {[one.username, one.room && nameRoom(one.room)].filter(Boolean).join(' · ')}
    </span>
  ),
}
const COLUMNS: readonly Column<CandidateFacts>[] = [
  {
    id: 'username',
    head: 'Username',
    className: 'text-ink-2 max-md:hidden',
    cell: ({ username }) => username,
  },
  {
    id: 'address',
    head: 'Address',
    className: 'break-all text-ink-2 max-lg:hidden',
    cell: ({ email }) => email,
  },
  { id: 'room', head: 'Room', className: 'max-md:hidden', cell: ({ room }) => room },
  {
    id: 'time',
    head: 'Time',
    className: 'whitespace-nowrap text-end max-md:hidden',
    cell: (one) => <Time one={one} />,
  },
  {
    id: 'exempt',
    head: 'Exempt from',
    className: 'pl-4.5! text-ink-2 max-lg:hidden',
    cell: ({ exemptKinds }) =>
      exemptionsOf(exemptKinds)
        .map(({ short }) => short)
        .join(', '),
  },
  {
    id: 'password',
    head: (
      <>
        Password<span className="max-md:hidden"> by mail</span>
      </>
    ),
    cell: (one) => <PasswordWord one={one} />,
  },
  {
    id: 'computer',
    head: 'Own computer',
    className: 'text-ink-2 max-lg:hidden',
    cell: ({ triedAt, findings }) =>
      triedAt === null ? (
        'not tried'
      ) : isReady(findings) ? (
        'tried'
      ) : (
        <span className="amber">
          {findings.map((one) => (FINDING_WORDS as Record<string, string>)[one] ?? one).join(', ')}
        </span>
      ),
  },
  {
    id: 'more',
    head: <span className="sr-only">More</span>,
    className: 'w-6 text-end text-ink-2',
    cell: () => <ChevronDown size={16} aria-hidden className="inline" />,
  },
]

/** The list: one row opens at a time, in place. */
export function CandidateTable(props: {
  shown: readonly CandidateFacts[]
  view: string
  ticked: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
  mayChange: boolean
}) {
  const { mayChange } = props
  return (
    <DataTable
      label="Candidates"
      rows={props.shown}
      view={props.view}
      name={NAME}
      columns={COLUMNS}
      empty="No candidates match."
      ticked={props.ticked}
      onTick={mayChange ? props.onTick : undefined}
      details={(one) => <CandidateDetails one={one} mayChange={mayChange} />}
    />
  )
}

function Time({ one: { extraSeconds } }: { one: CandidateFacts }) {
  const { durationSeconds } = useAssessment()
  return (
    <>
      {minutesOf(durationSeconds)}
      {extraSeconds > 0 && <b className="font-semibold"> + {minutesOf(extraSeconds)}</b>} min
    </>
  )
}

const PASSWORDS: Readonly<Record<PasswordState, readonly [Icon: LucideIcon, word: string]>> = {
  none: [Minus, 'Not sent'],
  stopped: [Minus, 'Stopped'],
  waiting: [Clock, 'Waiting'],
  sent: [Check, 'Sent'],
  paper: [FileText, 'On paper'],
  refused: [Mail, 'Refused'],
  unsure: [Mail, 'Unsure'],
}

function PasswordWord({ one }: { one: CandidateFacts }) {
  const { timeZone } = useAssessment()
  if (one.isRevoked) return <span className="text-ink-2">Shut out</span>
  const state = passwordStateOf(one)
  const [Icon, word] = PASSWORDS[state]
  const isAmber = state === 'refused' || state === 'unsure'
  const at = state === 'paper' ? one.passwordMadeAt : one.mail?.at
  const hasTime = at && (isAmber || state === 'sent' || state === 'paper')
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap align-middle ${isAmber ? 'amber font-medium' : 'text-ink-2'}`}
    >
      <Icon size={15} aria-hidden />
      {word}
      {hasTime && ` ${zoneTimeOrDay(at, timeZone, Date.now())}`}
    </span>
  )
}
