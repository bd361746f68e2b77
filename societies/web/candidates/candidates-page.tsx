import { Plus, Send } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import {
  type CandidateFacts,
  listCandidates,
  stopMails,
  writeCandidates,
} from '../../contract/candidates.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { ColumnWords } from '../kit/column-words.tsx'
import { useListBar } from '../kit/list-bar.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { ActButton, useAct, useMayAll, usePlace } from '../kit/use-act.tsx'
import { CandidateTable } from './candidate-table.tsx'
import { filtersOf } from './filters.ts'
import { headlineOf, needsMail, needsNewSlip, needsNewTime, passwordStateOf } from './mail-words.ts'
import { TickedBar } from './ticked-bar.tsx'
import { useMailWatch } from './use-mail-watch.ts'

const LetterDialog = dialogOnDemand(async () => (await import('./letter-dialog.tsx')).LetterDialog)
const SendDialog = dialogOnDemand(async () => (await import('./send-dialog.tsx')).SendDialog)

const WORDS = [
  ['Time', 'The duration, and the extra time that was planned for this person.'],
  ['Exempt from', 'What is written down and never counted for this person.'],
  [
    'Password by mail',
    'Waiting: it has not left. Sent: the mail server took it; whether it arrived, nobody can know. Refused: the mail server did not take it. Unsure: the server stopped while it was handed over. On paper: a slip was printed since.',
  ],
  [
    'Own computer',
    'Whether the candidate has tried the computer before the day, and what is wrong with it.',
  ],
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
  const [dialog, setDialog] = useState<'send' | 'anew' | 'letter' | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const filters = useMemo(() => filtersOf(candidates), [candidates])
  const list = useListBar(candidates, {
    by: 'Name, username or address',
    textOf,
    filters,
    width: 'w-66',
  })
  const listed = candidates.filter(({ isRevoked }) => !isRevoked)
  const toSend = listed.filter(needsMail)
  const toTellAnew = listed.filter(needsNewTime)
  const oldSlips = listed.filter(needsNewSlip).length
  const page = (name: string) => assessmentUrl(place.society, place.code, name)
  const ticked = list.shown.filter(({ id }) => chosen.has(id))

  if (candidates.length === 0) {
    return (
      <Top
        title="Candidates"
        headline="Nobody on the list"
        acts={
          maySetAll && (
            <Link to={page('candidates/add')} className="btn">
              <Plus size={15} aria-hidden /> Add candidates
            </Link>
          )
        }
      >
        Paste names or drop a CSV; the first line may be a heading.
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
              <Link to={page('candidates/add')} className="btn btn-ghost">
                <Plus size={15} aria-hidden /> Add candidates
              </Link>
              {toTellAnew.length > 0 && !isDraft && (
                <button
                  type="button"
                  // One filled button a page: first passwords for who has none.
                  className={toSend.length > 0 ? 'btn btn-ghost' : 'btn'}
                  onClick={() => setDialog('anew')}
                >
                  <Send size={15} aria-hidden /> Send {countOf(toTellAnew.length, 'mail')} anew
                </button>
              )}
              {toSend.length > 0 && (
                <button
                  type="button"
                  className="btn"
                  aria-disabled={isDraft}
                  aria-describedby={isDraft ? 'no-mails-yet' : undefined}
                  onClick={() => !isDraft && setDialog('send')}
                >
                  <Send size={15} aria-hidden /> Send {countOf(toSend.length, 'password')}
                </button>
              )}
            </>
          )
        }
      >
        Each mail holds the username, a password and the link to try the computer. A password is
        never shown here.{' '}
        {toTellAnew.length > 0 && !isDraft && (
          <span className="amber">
            The time was changed after {toTellAnew.length === 1 ? 'a mail' : 'these mails'} had left
            {toTellAnew.length === 1 ? '' : ` (${toTellAnew.length})`}. A new mail tells the new
            time; it has a new password too.{' '}
          </span>
        )}
        {oldSlips > 0 && (
          <span className="amber">
            {countOf(oldSlips, 'printed slip tells', 'printed slips tell')} another time, because it
            was changed since. New ones tell the new time, with a new password: ‘Told another time’
            has whose.{' '}
          </span>
        )}
        {isDraft && (
          <span id="no-mails-yet" className="amber">
            This is a draft, so no password leaves yet: publish it first, under{' '}
            <Link to={page('')} className="link underline">
              Overview
            </Link>
            .
          </span>
        )}
      </Top>
      <Counts candidates={listed} onLetter={() => setDialog('letter')} />
      {waiting > 0 && <Sending waiting={waiting} mayStop={maySetAll} />}
      <div className="head">
        <h2>Candidates</h2>
        <span className="hint">
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
        </span>
      </div>
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
      {dialog === 'send' && <SendDialog candidates={toSend} onClose={() => setDialog(null)} />}
      {dialog === 'anew' && <SendDialog candidates={toTellAnew} onClose={() => setDialog(null)} />}
      {dialog === 'letter' && (
        <LetterDialog mayChange={maySetAll} sample={listed[0]} onClose={() => setDialog(null)} />
      )}
    </>
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
        {countOf(waiting, 'mail')} {waiting === 1 ? 'waits' : 'wait'} to leave. You may close this
        page.
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
