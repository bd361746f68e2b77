import { Check, ChevronDown, Clock, FileText, type LucideIcon, Mail, Minus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { FINDING_WORDS, isReady } from '../../../assessments/rehearsal.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { whomOf } from '../../acts/web/whom.tsx'
import { CANDIDATE_LENGTHS } from '../../kit/candidate-limits.ts'
import { nameRoom } from '../../kit/role-words.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { type Column, DataTable } from '../../kit/web/data-table.tsx'
import { ChosenBar } from '../../kit/web/list-bar.tsx'
import { usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneMoment, zoneTimeOrDay } from '../../kit/zone-time.ts'
import { exemptionsOf } from '../../setup/exemptions.ts'
import { type CandidateFacts, changeCandidates, removeCandidates } from '../contract.ts'
import { minutesOf } from '../credential-letter.ts'
import { CandidateDetails } from './candidate-details.tsx'
import { type PasswordState, passwordStateOf } from './candidate-states.ts'

const NAME = {
  id: 'name',
  head: 'Candidate',
  className: 'max-md:py-2!',
  text: (one: CandidateFacts) => one.name ?? one.username,
  cell: (one: CandidateFacts) => (
    <span className="hint block text-ink-2 md:hidden">
      {[one.username, one.room && nameRoom(one.room), one.starts && `starts ${one.starts.from}`]
        .filter(Boolean)
        .join(' · ')}
    </span>
  ),
}
const column = (
  id: string,
  className: string,
  cell: (one: CandidateFacts) => ReactNode,
  head: ReactNode = id,
): Column<CandidateFacts> => ({ id, head, className, cell })
const COLUMNS = [
  column('Username', 'text-ink-2 max-md:hidden', ({ username }) => username),
  column('Address', 'break-all text-ink-2 max-lg:hidden', ({ email }) => email),
  column('Room', 'max-md:hidden', ({ room }) => room),
  column('Time', 'whitespace-nowrap text-end max-md:hidden', (one) => <Time one={one} />),
  column('Starts', 'whitespace-nowrap max-lg:hidden', (one) => <Starts one={one} />),
  column('Exempt from', 'pl-4.5! text-ink-2 max-lg:hidden', ({ exemptKinds }) =>
    exemptionsOf(exemptKinds)
      .map(({ short }) => short)
      .join(', '),
  ),
  column(
    'Password',
    '',
    (one) => <PasswordWord one={one} />,
    <>
      Password<span className="max-md:hidden"> by email</span>
    </>,
  ),
  column('Own computer', 'text-ink-2 max-lg:hidden', ({ triedAt, findings }) => {
    if (triedAt === null) return 'not tried'
    if (isReady(findings)) return 'tried'
    const words = findings.map((one) => (FINDING_WORDS as Record<string, string>)[one] ?? one)
    return <span className="amber">{words.join(', ')}</span>
  }),
  column(
    'More',
    'w-6 text-end text-ink-2',
    () => <ChevronDown size={16} aria-hidden className="inline" />,
    <span className="sr-only">More</span>,
  ),
]

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

function Starts({ one: { starts } }: { one: CandidateFacts }) {
  const { opensAt, timeZone } = useAssessment()
  if (starts)
    return <b className="font-semibold">{zoneMoment(starts.fromAt, timeZone, Date.now())}</b>
  return <span className="text-ink-2">{opensAt && zoneMoment(opensAt, timeZone, Date.now())}</span>
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

const SendDialog = dialogOnDemand(async () => (await import('./mail-dialogs.tsx')).SendDialog)
const TimeDialog = dialogOnDemand(
  async () => (await import('../../acts/web/time-dialog.tsx')).TimeDialog,
)

export function TickedBar(props: { ticked: readonly CandidateFacts[]; onDone: () => void }) {
  const { ticked, onDone } = props
  const place = usePlace()
  const urlOf = useUrlOf()
  const { isDraft } = useAssessment()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'mail' | 'room' | 'time' | 'remove' | null>(null)
  const close = () => setAsked(null)
  const done = () => {
    close()
    onDone()
  }
  const candidates = ticked.map(({ id }) => id)
  const count = ticked.length
  const hasStarted = ticked.some(({ attempt }) => attempt !== 'none')
  const asks = { input: { params: place, body: { candidates } }, onClose: close }
  const slips = urlOf('candidates/slips')
  const asker = (what: typeof asked, words: string, isOff = false) => (
    <button type="button" aria-disabled={isOff} onClick={() => !isOff && setAsked(what)}>
      {words}
    </button>
  )
  return (
    <>
      <ChosenBar count={count} onUntick={onDone}>
        {asker('mail', 'Email', isDraft)}
        {asker('room', 'Room')}
        {asker('time', 'Extra time')}
        <button type="button" onClick={() => void navigate(slips, { state: { candidates } })}>
          Credential sheets
        </button>
        {asker('remove', 'Remove')}
      </ChosenBar>
      {asked === 'mail' && <SendDialog candidates={ticked} onClose={done} />}
      {asked === 'room' && (
        <ActionDialog
          {...asks}
          title={`A room for ${countOf(count, 'candidate')}`}
          endpoint={changeCandidates}
          fields={{ room: ROOM }}
          button={[`Set the room of ${count}`, 'Saving…']}
          done={({ changed }) => {
            toast.success(`Room set for ${countOf(changed, 'candidate')}`)
            onDone()
          }}
        />
      )}
      {asked === 'time' && (
        <TimeDialog
          options={whomOf(ticked, false).slice(0, 1)}
          kinds={hasStarted ? ['plan', 'give', 'end_at'] : ['plan']}
          onClose={close}
          onDone={done}
        />
      )}
      {asked === 'remove' && (
        <ActionDialog
          {...asks}
          title={`Remove ${countOf(count, 'candidate')}?`}
          text={removalWords(ticked)}
          endpoint={removeCandidates}
          button={[`Remove ${count}`, 'Removing…']}
          done={({ removed, shutOut }) => {
            toast.success(`${removed} removed${shutOut > 0 ? `, ${shutOut} shut out` : ''}`)
            onDone()
          }}
        />
      )}
    </>
  )
}

const ROOM = {
  kind: 'text',
  label: 'Room',
  hint: 'Leave empty for no room.',
  maxLength: CANDIDATE_LENGTHS.room,
  empty: null,
} as const

function removalWords(ticked: readonly CandidateFacts[]): string {
  const started = ticked.filter(({ attempt }) => attempt !== 'none').length
  const gone = ticked.length - started
  const deleted = `${countOf(gone, 'candidate')} will be deleted with everything saved about them. `
  const shutOut = `${countOf(started, 'candidate has', 'candidates have')} started, so the answers stay and access ends. `
  return `${gone > 0 ? deleted : ''}${started > 0 ? shutOut : ''}The passwords stop working.`
}
