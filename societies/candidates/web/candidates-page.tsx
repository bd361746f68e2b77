import { Plus, Send } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { ColumnWords } from '../../kit/web/heads.tsx'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Section, Top } from '../../kit/web/section.tsx'
import { useListBar } from '../../kit/web/list-bar.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { ActButton, useAct, useMayAll, usePlace } from '../../kit/web/use-act.tsx'
import { type CandidateFacts, listCandidates, stopMails, writeCandidates } from '../contract.ts'
import { CandidateTable } from './candidate-table.tsx'
import { filtersOf } from './filters.ts'
import { headlineOf, needsMail, needsNewSlip, needsNewTime, passwordStateOf } from './mail-words.ts'
import { TickedBar } from './ticked-bar.tsx'
import { useMailWatch } from './use-mail-watch.ts'

const LetterDialog = dialogOnDemand(async () => (await import('./letter-dialog.tsx')).LetterDialog)
const SendDialog = dialogOnDemand(async () => (await import('./send-dialog.tsx')).SendDialog)

const WORDS = [
  ['Time', 'The duration, plus the extra time planned for this candidate.'],
  ['Exempt from', 'What is recorded but never counted for this candidate.'],
  [
    'Password by mail',
    'Waiting: not sent yet. Sent: the mail server took it, but it may not have arrived. Refused: the mail server rejected it. Unsure: the server stopped while sending. On paper: a slip was printed later.',
  ],
  ['Own computer', 'Whether the candidate has tried their computer, and what is wrong with it.'],
] as const

const textOf = ({ name, username, email }: CandidateFacts) =>
  `${name ?? ''} ${username} ${email ?? ''}`

/** …/candidates: the list, their mails (product 7.10). */
export function Candidates() {
  const list = useEndpoint(listCandidates, { params: usePlace() })
  return (
    <Loaded of={list} name="list">
      {({ candidates }) => <List candidates={candidates} />}
    </Loaded>
  )
}

function List({ candidates }: { candidates: CandidateFacts[] }) {
  const place = usePlace()
  const { isDraft } = useAssessment()
  const maySetAll = useMayAll('manage_candidates')
  const waiting = useMailWatch()
  const [mailed, setMailed] = useState<readonly CandidateFacts[] | null>(null)
  const [isLetterOpen, setIsLetterOpen] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const filters = useMemo(() => filtersOf(candidates), [candidates])
  const list = useListBar(candidates, {
    by: 'Name, username or address',
    textOf,
    filters,
    width: 'w-66',
  })
  const listed = candidates.filter(({ isRevoked }) => !isRevoked)
  const page = (name: string) => assessmentUrl(place.society, place.code, name)
  const ticked = list.shown.filter(({ id }) => chosen.has(id))
  const add = (look: string) => (
    <Link to={page('candidates/add')} className={look}>
      <Plus size={15} aria-hidden /> Add candidates
    </Link>
  )
  if (candidates.length === 0) {
    return (
      <Top title="Candidates" headline="No candidates yet" acts={maySetAll && add('btn')}>
        Paste names and addresses, or drop a CSV.
      </Top>
    )
  }
  return (
    <>
      <Top
        title="Candidates"
        headline={headlineOf(listed)}
        acts={
          maySetAll && (
            <>
              <Link to={page('candidates/slips')} className="btn btn-ghost">
                Print slips
              </Link>
              {add('btn btn-ghost')}
              <SendButtons listed={listed} onSend={setMailed} />
            </>
          )
        }
      >
        Each mail has the username, a password and a link to try the computer. Passwords are never
        shown here. <Outdated listed={listed} isDraft={isDraft} />
        {isDraft && (
          <span id="no-mails-yet" className="amber">
            This is a draft. To send passwords, publish it under{' '}
            <Link to={page('')} className="link underline">
              Overview
            </Link>
            .
          </span>
        )}
      </Top>
      <Counts candidates={listed} onLetter={() => setIsLetterOpen(true)} />
      {waiting > 0 && <Sending waiting={waiting} mayStop={maySetAll} />}
      <Section
        title="Candidates"
        hint={
          <>
            <span className="max-md:hidden">one row opens at a time · </span>
            <ColumnWords
              words={WORDS}
              keys="/ searches, the arrows move, Enter opens, x ticks, Esc closes."
            />
            {maySetAll && (
              <>
                {' '}
                · <CsvButton shown={list.shown} />
              </>
            )}
          </>
        }
      >
        {list.bar}
        <CandidateTable
          shown={list.shown}
          view={list.view}
          ticked={chosen}
          onTick={setChosen}
          mayChange={maySetAll}
        />
        {maySetAll && ticked.length > 0 && (
          <TickedBar ticked={ticked} onDone={() => setChosen(new Set())} />
        )}
      </Section>
      {mailed && <SendDialog candidates={mailed} onClose={() => setMailed(null)} />}
      {isLetterOpen && (
        <LetterDialog
          mayChange={maySetAll}
          sample={listed[0]}
          onClose={() => setIsLetterOpen(false)}
        />
      )}
    </>
  )
}

/** First passwords, and mails with the new time; one filled button at most. */
function SendButtons(props: {
  listed: readonly CandidateFacts[]
  onSend: (candidates: readonly CandidateFacts[]) => void
}) {
  const { isDraft } = useAssessment()
  const first = props.listed.filter(needsMail)
  const again = props.listed.filter(needsNewTime)
  return (
    <>
      {again.length > 0 && !isDraft && (
        <button
          type="button"
          className={first.length > 0 ? 'btn btn-ghost' : 'btn'}
          onClick={() => props.onSend(again)}
        >
          <Send size={15} aria-hidden /> Send {countOf(again.length, 'mail')} again
        </button>
      )}
      {first.length > 0 && (
        <button
          type="button"
          className="btn"
          aria-disabled={isDraft}
          aria-describedby={isDraft ? 'no-mails-yet' : undefined}
          onClick={() => !isDraft && props.onSend(first)}
        >
          <Send size={15} aria-hidden /> Send {countOf(first.length, 'password')}
        </button>
      )}
    </>
  )
}

/** How many mails and slips name a time that has changed since. */
function Outdated({ listed, isDraft }: { listed: readonly CandidateFacts[]; isDraft: boolean }) {
  const mails = isDraft ? 0 : listed.filter(needsNewTime).length
  const slips = listed.filter(needsNewSlip).length
  if (mails + slips === 0) return null
  return (
    <span className="amber">
      {mails > 0 &&
        `The time has changed since ${countOf(mails, 'mail was', 'mails were')} sent. A new mail has the new time, and a new password. `}
      {slips > 0 &&
        `${countOf(slips, 'printed slip has', 'printed slips have')} an outdated time. A new slip has the new time, and a new password. The filter ‘Told another time’ shows whose. `}
    </span>
  )
}

function Counts(props: { candidates: readonly CandidateFacts[]; onLetter: () => void }) {
  const { candidates } = props
  const { society } = useSociety()
  const count = (fits: (one: CandidateFacts) => boolean) => candidates.filter(fits).length
  const inState = (...states: string[]) => count((one) => states.includes(passwordStateOf(one)))
  const refused = inState('refused')
  const figures = [
    { value: inState('sent'), label: 'mails sent' },
    { value: refused, label: 'refused', isAmber: refused > 0 },
    { value: inState('none', 'stopped'), label: 'not sent yet' },
    { value: count(({ triedAt }) => triedAt !== null), label: 'tried their computer' },
    { value: count(({ extraSeconds }) => extraSeconds > 0), label: 'have extra time' },
  ]
  return (
    <div className="counts mb-7">
      {figures.map(({ value, label, isAmber }) => (
        <div key={label} className={isAmber ? 'amber' : ''}>
          <span className="count">{value}</span>
          <span className={`block text-[13px] ${isAmber ? '' : 'text-ink-2'}`}>{label}</span>
        </div>
      ))}
      <p className="hint ml-auto self-center py-2 text-ink-2">
        for <b className="font-medium text-ink">{society.name}</b> ·{' '}
        <button type="button" className="quiet-link" onClick={props.onLetter}>
          The text of the mail
        </button>
      </p>
    </div>
  )
}

/** While mails leave: how many wait, and the way to stop them. */
function Sending({ waiting, mayStop }: { waiting: number; mayStop: boolean }) {
  const place = usePlace()
  const stop = useAct(() => call(stopMails, { params: place, body: {} }))
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3" role="status">
      <i aria-hidden className="dot" />
      <span>
        {countOf(waiting, 'mail is', 'mails are')} waiting to leave. You can close this page.
      </span>
      {mayStop && (
        <ActButton act={stop} busy="Stopping…" className="btn btn-ghost btn-small">
          Stop {waiting === 1 ? 'it' : `these ${waiting}`}
        </ActButton>
      )}
    </div>
  )
}

function CsvButton({ shown }: { shown: readonly CandidateFacts[] }) {
  const place = usePlace()
  const write = useAct(
    () => call(writeCandidates, { params: place, body: { candidates: shown.map(({ id }) => id) } }),
    ({ csv }) => saveAsFile(`${place.code}-candidates.csv`, csv, 'text/csv;charset=utf-8'),
  )
  return (
    <ActButton act={write} can={shown.length > 0} className="quiet-link">
      CSV of what is shown
    </ActButton>
  )
}
