import { useQuery } from '@tanstack/react-query'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { CopyLink } from './copy-link.tsx'
import { findingText } from './finding-words.ts'
import { type Rehearsed, rehearsalQuery } from './queries.ts'
import { RehearsedCandidates, RehearsedHelpers } from './rehearsed.tsx'
import { Simulation } from './simulation.tsx'

/** …/rehearsal: who tried the computer, and with what trouble; a simulated crowd (product 7.11). */
export function Rehearsal() {
  const { society, may } = useSociety()
  const { code } = useAssessment()
  const of = { society: society.id, code }
  const found = useQuery(rehearsalQuery(of))
  if (!found.data) {
    return found.isError ? (
      <Message
        isError
        title="The rehearsal could not be loaded"
        actions={<TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />}
      />
    ) : (
      <Spinner />
    )
  }
  const { candidates, helpers, link } = found.data
  return (
    <>
      <Top title="Rehearsal" headline={headlineOf(candidates)}>
        A rehearsal opens five sample questions in the real runner, on the candidate's own computer,
        and checks browser, clock and network. It does not count. You see who is ready, and what is
        to be mended; never an answer. The keys are checked under Questions; a simulation below lets
        invented candidates play the day.
      </Top>
      <div className="counts">
        <Count value={candidates.ready} label="ready" />
        <Count value={candidates.tried - candidates.ready} label="with something to mend" isAmber />
        <Count value={candidates.listed - candidates.tried} label="have not tried" />
        <Count value={`${helpers.tried} of ${helpers.listed}`} label="helpers have tried" />
      </div>
      <Findings findings={found.data.findings} />
      {link && (
        <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
          <a href={link} target="_blank" rel="noreferrer" className="btn">
            Try it yourself
          </a>
          <CopyLink link={link} label="Copy the link for everybody" />
          <p className="hint max-w-[76ch]">
            For a poster or a group. What it finds is kept of helpers alone: a candidate is counted
            by the link in their own mail, so that nobody can try out usernames.
          </p>
        </div>
      )}
      {/* Before the lists, which are as long as the test is large. */}
      <Simulation of={of} maySimulate={may('simulate')} />
      {may('see_names') && <RehearsedCandidates of={of} />}
      {may('see_names') && <RehearsedHelpers of={of} />}
    </>
  )
}

function headlineOf({ listed, tried, ready }: Rehearsed['candidates']): string {
  if (listed === 0) return 'Nobody is on the list yet'
  if (tried === 0) return `None of ${listed} has tried yet`
  return `${ready} of ${listed} ${ready === 1 ? 'is' : 'are'} ready`
}

function Count(props: { value: number | string; label: string; isAmber?: boolean }) {
  const isAmber = props.isAmber === true && props.value !== 0
  return (
    <div>
      <p className={`count ${isAmber ? 'amber' : ''}`}>{props.value}</p>
      <p className="hint">{props.label}</p>
    </div>
  )
}

function Findings({ findings }: { findings: Rehearsed['findings'] }) {
  if (findings.length === 0) return null
  return (
    <p className="mt-4 max-w-[100ch]">
      {findings.map(({ finding, count }) => `${count} ${findingText(finding)}`).join(', ')}.
    </p>
  )
}
