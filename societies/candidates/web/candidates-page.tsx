import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Send } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { endpointKey, useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { useListBar } from '../../kit/web/list-bar.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { ColumnWords, Section, Top } from '../../kit/web/section.tsx'
import { ActButton, useAct, useMayAll, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import {
  type CandidateFacts,
  listCandidates,
  listMails,
  stopMails,
  writeCandidates,
} from '../contract.ts'
import {
  canStart,
  filtersOf,
  headlineOf,
  needsMail,
  needsNewSlip,
  needsNewTime,
  passwordStateOf,
} from './candidate-states.ts'
import { CandidateTable, TickedBar } from './candidate-table.tsx'

const LetterDialog = dialogOnDemand(async () => (await import('./mail-dialogs.tsx')).LetterDialog)
const SendDialog = dialogOnDemand(async () => (await import('./mail-dialogs.tsx')).SendDialog)

const WORDS = [
  ['Time', 'The duration, plus the extra time planned for this candidate.'],
  ['Starts', 'When this candidate can start; bold: a different time from the others.'],
  ['Exempt from', 'What is recorded but never counted for this candidate.'],
  [
    'Password by email',
    'Waiting: not sent yet. Sent: the mail server took it, but it may not have arrived. Refused: the mail server rejected it. Unsure: the server stopped while sending. On paper: a credential sheet was printed later.',
  ],
  ['Own computer', 'Whether the candidate has tried their computer, and what is wrong with it.'],
] as const

const textOf = ({ name, username, email }: CandidateFacts) =>
  `${name ?? ''} ${username} ${email ?? ''}`

/** …/candidates: the list and its mails (product 7.10). */
export function Candidates() {
  const list = useEndpoint(listCandidates, { params: usePlace() })
  return (
    <Loaded of={list} name="list">
      {({ candidates }) => <List candidates={candidates} />}
    </Loaded>
  )
}

function List({ candidates }: { candidates: CandidateFacts[] }) {
  const urlOf = useUrlOf()
  const { society } = useSociety()
  const { isDraft, closesAt } = useAssessment()
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
  const able = listed.filter((one) => canStart(one, closesAt))
  const first = able.filter(needsMail)
  const again = isDraft ? [] : able.filter(needsNewTime)
  const ticked = list.shown.filter(({ id }) => chosen.has(id))
  const add = (look: string) => (
    <Link to={urlOf('candidates/add')} className={look}>
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
              <Link to={urlOf('candidates/slips')} className="btn btn-ghost">
                Print credential sheets
              </Link>
              {add('btn btn-ghost')}
              <SendButtons first={first} again={again} onSend={setMailed} />
            </>
          )
        }
      >
        Each email has the username, a password and a link to try the computer. Passwords are never
        shown here. <Outdated mails={again.length} slips={able.filter(needsNewSlip).length} />
        {isDraft && (
          <span id="no-mails-yet" className="amber">
            This is a draft. To send passwords, publish it under{' '}
            <Link to={urlOf('')} className="link underline">
              Overview
            </Link>
            .
          </span>
        )}
      </Top>
      <div className="counts mb-7">
        {figuresOf(listed).map(({ value, label, isAmber }) => (
          <div key={label} className={isAmber ? 'amber' : ''}>
            <span className="count">{value}</span>
            <span className={`block text-[13px] ${isAmber ? '' : 'text-ink-2'}`}>{label}</span>
          </div>
        ))}
        <p className="hint ml-auto self-center py-2 text-ink-2">
          for <b className="font-medium text-ink">{society.name}</b> ·{' '}
          <button type="button" className="quiet-link" onClick={() => setIsLetterOpen(true)}>
            The text of the email
          </button>
        </p>
      </div>
      {waiting > 0 && <Waiting mails={waiting} mayStop={maySetAll} />}
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

function SendButtons(props: {
  first: readonly CandidateFacts[]
  again: readonly CandidateFacts[]
  onSend: (candidates: readonly CandidateFacts[]) => void
}) {
  const { first, again, onSend } = props
  const { isDraft } = useAssessment()
  return (
    <>
      {again.length > 0 && (
        <button
          type="button"
          className={first.length > 0 ? 'btn btn-ghost' : 'btn'}
          onClick={() => onSend(again)}
        >
          <Send size={15} aria-hidden /> Send {countOf(again.length, 'email')} again
        </button>
      )}
      {first.length > 0 && (
        <button
          type="button"
          className="btn"
          aria-disabled={isDraft}
          aria-describedby={isDraft ? 'no-mails-yet' : undefined}
          onClick={() => !isDraft && onSend(first)}
        >
          <Send size={15} aria-hidden /> Send {countOf(first.length, 'password')}
        </button>
      )}
    </>
  )
}

function Waiting({ mails, mayStop }: { mails: number; mayStop: boolean }) {
  const place = usePlace()
  const stop = useAct(() => call(stopMails, { params: place }))
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3" role="status">
      <i aria-hidden className="dot" />
      <span>
        {countOf(mails, 'email is', 'emails are')} waiting to be sent. You can close this page.
      </span>
      {mayStop && (
        <ActButton act={stop} busy="Stopping…" className="btn btn-ghost btn-small">
          Stop {mails === 1 ? 'it' : `these ${mails}`}
        </ActButton>
      )}
    </div>
  )
}

function Outdated({ mails, slips }: { mails: number; slips: number }) {
  if (mails + slips === 0) return null
  return (
    <span className="amber">
      {mails > 0 &&
        `The time has changed since ${countOf(mails, 'email was', 'emails were')} sent. A new email has the new time and a new password. `}
      {slips > 0 &&
        `${countOf(slips, 'credential sheet has', 'credential sheets have')} an outdated time. A new sheet has the new time and a new password. The filter ‘Told a different time’ shows the candidates. `}
    </span>
  )
}

function figuresOf(listed: readonly CandidateFacts[]) {
  const count = (fits: (one: CandidateFacts) => boolean) => listed.filter(fits).length
  const inState = (...states: string[]) => count((one) => states.includes(passwordStateOf(one)))
  const refused = inState('refused')
  return [
    { value: inState('sent'), label: 'emails sent' },
    { value: refused, label: 'refused', isAmber: refused > 0 },
    { value: inState('none', 'stopped'), label: 'not sent yet' },
    { value: count(({ triedAt }) => triedAt !== null), label: 'tried their computer' },
    { value: count(({ extraSeconds }) => extraSeconds > 0), label: 'have extra time' },
  ]
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

type Listed = ResponseOf<typeof listCandidates>

/** Polling intervals for mails in milliseconds, while some wait and otherwise. */
const LOOK_MS = { sending: 2_000, idle: 10_000 }
/** Each poll overlaps the previous one, to include rows that weren't committed when it ran. */
const OVERLAP_MS = 5_000

/**
 * Polls the mails and merges changes into the list. Unchanged rows keep their object identity, so React doesn't render
 * them again.
 * @returns how many mails wait
 */
function useMailWatch(): number {
  const place = usePlace()
  const client = useQueryClient()
  const listKey = endpointKey(listCandidates, { params: place })
  const listNow = () => client.getQueryData<Listed>(listKey)
  const watch = useQuery({
    queryKey: endpointKey(listMails, { params: place, query: {} as { since: string } }),
    queryFn: async ({ signal }) => {
      const asOfMs = Date.parse(listNow()?.asOf ?? new Date().toISOString())
      const query = { since: new Date(asOfMs - OVERLAP_MS).toISOString() }
      const found = await call(listMails, { params: place, query }, { signal })
      const byId = new Map(found.changed.map((one) => [one.candidate, one]))
      const withMail = (one: CandidateFacts): CandidateFacts => {
        const newer = byId.get(one.id)
        if (!newer) return one
        const { candidate: _, passwordMadeAt, ...mail } = newer
        const isSame =
          one.mail?.state === mail.state &&
          one.mail.at === mail.at &&
          one.passwordMadeAt === passwordMadeAt
        return isSame ? one : { ...one, passwordMadeAt, mail }
      }
      if (byId.size > 0) {
        client.setQueryData<Listed>(
          listKey,
          (list) => list && { candidates: list.candidates.map(withMail), asOf: found.asOf },
        )
      }
      return found.waiting
    },
    staleTime: 0,
    // The list may be older than the last poll, because it was read before a mail left and arrived after the poll.
    refetchInterval: ({ state }) =>
      (state.data ?? 0) > 0 || listNow()?.candidates.some(({ mail }) => mail?.state === 'queued')
        ? LOOK_MS.sending
        : LOOK_MS.idle,
  })
  return watch.data ?? 0
}
