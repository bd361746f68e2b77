import { ChevronRight, Download, Flag } from 'lucide-react'
import { useState } from 'react'
import { Link, Navigate, useLocation, useParams } from 'react-router'
import {
  entryMeanings,
  NOT_THE_PERSON,
  standingWords,
} from '../../../assessments/incident-words.ts'
import { call, fetchFile } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { listOf } from '../../../platform/words.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Tick } from '../../kit/web/fields.tsx'
import { toggled } from '../../kit/web/list-bar.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Section, Top } from '../../kit/web/section.tsx'
import { ActButton, useAct, useExtent, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneMoment, zoneSecond } from '../../kit/zone-time.ts'
import {
  exportCandidateReport,
  type CandidateFile as File,
  findCandidate,
  getCandidateFile,
  listIncidents,
  showName,
  showScore,
  type UncoveredScore,
} from '../contract.ts'
import { Answers, Facts } from './attempt.tsx'
import { DecisionForm, useMayDecide } from './decision.tsx'
import { candidateName, fileHeadline, isOpen, LOOK_MS, undecidedOf } from './incident-headlines.ts'
import { showAsked, WhatHappened } from './what-happened.tsx'

const ReportDialog = dialogOnDemand(async () => (await import('./dialogs.tsx')).ReportDialog)

const isRunning = ({ attempt }: File) => attempt !== null && attempt.submittedAt === null

/** …/incidents/:candidate: one candidate's page (product 7.16.2). */
export function CandidateFile() {
  const place = usePlace()
  const { candidate = '' } = useParams()
  const found = useEndpoint(
    getCandidateFile,
    { params: { ...place, candidate } },
    { every: (file) => (file && isRunning(file) ? LOOK_MS : false) },
  )
  return (
    <Loaded
      of={found}
      name="page"
      refused={({ status }) => status === 404 && <OfList listed={candidate} />}
    >
      {/* The key resets reveals when another candidate is opened. */}
      {(file) => <Page key={candidate} file={file} />}
    </Loaded>
  )
}

/** …/incidents/of/:listed: the target of links from Live, whose list has names and therefore other ids. */
export function CandidateOfList() {
  return <OfList listed={useParams().listed ?? ''} />
}

/** Finds the candidate's page, which is logged. Old URLs of a candidate use the list's id, too. */
function OfList({ listed }: { listed: string }) {
  const place = usePlace()
  const to = useUrlOf()
  const { hash } = useLocation()
  const found = useEndpoint(
    findCandidate,
    { params: { ...place, listed } },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  return (
    <Loaded
      of={found}
      name="page"
      refused={() => (
        <Message
          isError
          title="This candidate is not on the list"
          actions={
            <Link to={to('incidents')} className="btn">
              All incidents
            </Link>
          }
        />
      )}
    >
      {({ id }) => <Navigate replace to={{ pathname: to(`incidents/${id}`), hash }} />}
    </Loaded>
  )
}

function Page({ file }: { file: File }) {
  const params = { ...usePlace(), candidate: file.id }
  const forName = useAct(() => call(showName, { params }))
  const forScore = useAct(() => call(showScore, { params }))
  const [isReporting, setIsReporting] = useState(false)
  const { attempt, incidents } = file
  const name = forName.done
  const score = forScore.done ?? file.score
  const touched = new Set(
    incidents.filter(isOpen).flatMap(({ changed }) => changed.map(({ question }) => question)),
  )
  const called = candidateName(file.number)
  return (
    <>
      <Crumbs id={file.id} />
      <Top
        title={called}
        headline={`${name ? (name.name ?? name.username) : called}: ${fileHeadline(incidents, isRunning(file))}`}
        acts={
          <>
            <button type="button" className="btn btn-ghost" onClick={() => setIsReporting(true)}>
              <Flag size={15} aria-hidden /> Report
            </button>
            {attempt && <ReportButton file={file} withName={!!name} withKeys={!!score} />}
          </>
        }
      >
        {name && `${called}, ${name.username}. `}
        <Covered file={file} score={score} forName={forName} forScore={forScore} />
      </Top>
      {attempt && <Facts file={file} attempt={attempt} />}
      <div className="mt-7 grid gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_300px]">
        <WhatHappened file={file} />
        <aside className="grid content-start gap-8">
          <Decision file={file} />
          <EntryMeanings unseenMs={attempt?.unseenMs ?? 0} />
        </aside>
      </div>
      {file.comment && <Comment comment={file.comment} />}
      {file.answers && <Answers answers={file.answers} score={score} touched={touched} />}
      {isReporting && (
        <ReportDialog about={{ id: file.id, name: called }} onClose={() => setIsReporting(false)} />
      )}
    </>
  )
}

function Crumbs({ id }: { id: string }) {
  const place = usePlace()
  const to = useUrlOf()
  const list = useEndpoint(listIncidents, { params: place })
  const waiting = undecidedOf(list.data?.candidates ?? [])
  const at = waiting.findIndex((one) => one.id === id)
  const before = waiting[at - 1]
  const next = waiting[at + 1]
  return (
    <nav
      aria-label="Incidents"
      className="mb-3 flex flex-wrap items-center gap-x-3 text-[13.5px] text-ink-2 [&_a]:flex [&_a]:min-h-7 [&_a]:items-center max-md:[&_a]:min-h-11"
    >
      <Link to={to('incidents')} className="hover:text-ink">
        Incidents
      </Link>
      <ChevronRight size={14} aria-hidden />
      <span className="flex-1">
        {at >= 0
          ? `report ${at + 1} of ${waiting.length} undecided`
          : `${waiting.length || 'none'} undecided`}
      </span>
      {before && (
        <Link to={to(`incidents/${before.id}`)} className="quiet-link">
          Previous
        </Link>
      )}
      {next && (
        <Link to={to(`incidents/${next.id}`)} className="quiet-link">
          Next undecided
        </Link>
      )}
    </nav>
  )
}

type ButtonAct = Parameters<typeof ActButton>[0]['act'] & { done: unknown }

function Covered(props: {
  file: File
  score: UncoveredScore | null
  forName: ButtonAct
  forScore: ButtonAct
}) {
  const { file, forName, forScore } = props
  const { may } = useSociety()
  const isNamed = forName.done !== undefined
  const isScoreCovered = !props.score && may('see_scores')
  const mayName = !isNamed && may('see_names')
  const mayScore = isScoreCovered && file.attempt !== null && !isRunning(file)
  const covered = [...(isNamed ? [] : ['name']), ...(isScoreCovered ? ['key', 'score'] : [])]
  const [are, them] = covered.length === 1 ? ['is', 'it'] : ['are', 'them']
  return (
    <>
      {covered.length > 0 &&
        `The ${listOf(covered)} ${are} hidden, so that a verdict doesn’t depend on ${them}. `}
      {(mayName || mayScore) && (
        <span className="max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-5">
          {mayName && (
            <ActButton act={forName} className="quiet-link max-md:min-h-11">
              Show the name
            </ActButton>
          )}
          {mayName && mayScore && <span className="max-md:hidden"> · </span>}
          {mayScore && (
            <ActButton act={forScore} className="quiet-link max-md:min-h-11">
              Show the score
            </ActButton>
          )}
          <span className="max-md:basis-full"> Each view is saved in the log.</span>
        </span>
      )}
    </>
  )
}

function Decision({ file }: { file: File }) {
  const { timeZone } = useAssessment()
  const mayDecide = useMayDecide()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const open = file.incidents.filter(mayDecide)
  if (open.length === 0) return null
  return (
    <DecisionForm
      of={open.filter(({ name }) => !left.has(name)).map((one) => ({ candidate: file, one }))}
      onDone={() => setLeft(new Set())}
    >
      {open.length > 1 && (
        <fieldset>
          <legend className="sr-only">Incidents</legend>
          {open.map((one) => (
            <Tick
              key={one.name}
              checked={!left.has(one.name)}
              onChange={() => setLeft(toggled(left, one.name))}
              label={
                <span className="figures text-[13.5px]">
                  {zoneSecond(one.at, timeZone)},{' '}
                  {one.kind === 'report' ? 'a report' : standingWords(one)}
                </span>
              }
            />
          ))}
        </fieldset>
      )}
    </DecisionForm>
  )
}

/** Downloads the report for an appeal. Anything hidden on the page is also hidden in the report. */
function ReportButton(props: { file: File; withName: boolean; withKeys: boolean }) {
  const { file, withName, withKeys } = props
  const place = usePlace()
  const extent = useExtent('release_results')
  const write = useAct(
    () =>
      fetchFile(exportCandidateReport, {
        params: { ...place, candidate: file.id },
        body: { withName, withKeys },
      }),
    (blob) => saveAsFile(`${place.code}-report-${file.attempt?.reference}.pdf`, blob, blob.type),
  )
  if (extent !== 'all' && !extent.includes('without_names')) return null
  return (
    <ActButton act={write} busy="Writing…">
      <Download size={15} aria-hidden /> Report as PDF
    </ActButton>
  )
}

function Comment({ comment }: { comment: NonNullable<File['comment']> }) {
  const { timeZone } = useAssessment()
  const isAsked = useLocation().hash === '#comment'
  return (
    <Section
      title="What the candidate wrote"
      hint={zoneMoment(comment.writtenAt, timeZone, Date.now())}
      className="mt-10 max-w-[76ch]"
    >
      <p ref={isAsked ? showAsked : undefined} className="whitespace-pre-line pt-3">
        {comment.text}
      </p>
    </Section>
  )
}

/** Explains what an entry does not prove. The candidate's own copy has the same text (product 7.16.9). */
function EntryMeanings({ unseenMs }: { unseenMs: number }) {
  return (
    <Section title="What an entry doesn’t prove">
      <p className="mt-3 font-serif text-[17px] leading-snug">{NOT_THE_PERSON}</p>
      <dl className="text-[13.5px]">
        {entryMeanings(unseenMs).map(({ term, text }) => (
          <div key={term}>
            <dt className="mt-3.5 font-medium">{term}</dt>
            <dd className="mt-0.5 text-pretty text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="hint mt-4 text-ink-2">
        The candidate can see these entries too, without verdicts and names.
      </p>
    </Section>
  )
}
