import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { roomTitle } from '../../kit/role-words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { countedOf, FilterButtons } from '../../kit/web/list-bar.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Top } from '../../kit/web/section.tsx'
import { ActButton, useAct, useMayAll, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { type CandidateFacts, listCandidates, printSlips } from '../contract.ts'
import { minutesOf, momentIn } from '../credential-letter.ts'
import { filtersOf } from './candidate-states.ts'
import { InsideWarning } from './mail-dialogs.tsx'

type Slip = ResponseOf<typeof printSlips>['slips'][number]

/** …/candidates/slips: passwords to print, shown only on this page (product 7.10.14). */
export function Slips() {
  const list = useEndpoint(listCandidates, { params: usePlace() })
  // Passwords exist only in this state, never in the query cache or the browser history.
  const [slips, setSlips] = useState<readonly Slip[] | null>(null)
  if (slips) return <Sheet slips={slips} />
  return (
    <Loaded of={list} name="list">
      {({ candidates }) => <Ask candidates={candidates} onMade={setSlips} />}
    </Loaded>
  )
}

function Ask(props: { candidates: readonly CandidateFacts[]; onMade: (slips: Slip[]) => void }) {
  const { candidates } = props
  const place = usePlace()
  const urlOf = useUrlOf()
  const { isDraft } = useAssessment()
  const told = (useLocation().state as { candidates?: string[] } | null)?.candidates
  const [filterId, setFilterId] = useState(told ? 'ticked' : 'none')
  const isOwner = useMayAll('manage_candidates')
  const filters = filtersOf(candidates)
  // If every candidate has a password, no filter is preselected, so that none is replaced by accident.
  const filter = isOwner ? filters.find(({ id }) => id === filterId) : undefined
  const ticked = candidates.filter(({ id }) => told?.includes(id))
  const chosen = filterId === 'ticked' ? ticked : filter ? candidates.filter(filter.fits) : []
  const back = urlOf('candidates')
  const make = useAct(
    () => call(printSlips, { params: place, body: { candidates: chosen.map(({ id }) => id) } }),
    ({ slips }) => props.onMade(slips),
  )
  const replaced = chosen.filter(({ passwordMadeAt }) => passwordMadeAt !== null).length
  return (
    <>
      <Top
        title="Credential sheets"
        headline={headlineOf(chosen.length, candidates, isOwner && filterId === 'none')}
      >
        One per candidate, with username and password. Several fit on a page, with lines to cut
        along. Use them for candidates without an email address.
      </Top>
      {isOwner && (
        <FilterButtons
          legend="For whom"
          className="mb-6"
          filters={[
            ...(told ? [{ id: 'ticked', label: 'Your selection', count: ticked.length }] : []),
            ...countedOf(candidates, filters),
          ]}
          chosen={filter?.id ?? filterId}
          onChoose={setFilterId}
        />
      )}
      <div className="grid max-w-[68ch] gap-3">
        {chosen.length > 0 && (
          <p>
            <b className="font-semibold">
              This makes {countOf(chosen.length, 'new password')}
              {replaced > 0 && ', and the old ones stop working'}.
            </b>{' '}
            They are shown only once, on this page. Emails waiting to be sent to these candidates
            are stopped.
          </p>
        )}
        {chosen.length === 0 && isOwner && candidates.length > 0 && (
          <p>To replace a lost password, choose candidates above. Each sheet has a new password.</p>
        )}
        <InsideWarning candidates={chosen} />
        {isDraft && (
          <p className="amber">
            This is a draft. Publish it under Overview first, because the sheets show its start.
          </p>
        )}
        <div className="mt-2 flex flex-wrap gap-2">
          <ActButton
            act={make}
            className="btn"
            busy="Making them…"
            can={!isDraft && chosen.length > 0}
          >
            Make {chosen.length === 0 ? 'passwords' : countOf(chosen.length, 'password')}
          </ActButton>
          <Link to={back} className="btn btn-ghost">
            Cancel
          </Link>
        </div>
      </div>
    </>
  )
}

/** Says how many sheets can be printed, or why none can. @param isAtFirst no filter has been chosen yet */
function headlineOf(
  count: number,
  candidates: readonly CandidateFacts[],
  isAtFirst: boolean,
): string {
  if (count > 0) return `${countOf(count, 'credential sheet')} to print`
  if (candidates.length === 0) return 'No candidates yet'
  const hasOne = ({ isRevoked, passwordMadeAt, mail }: CandidateFacts) =>
    isRevoked || passwordMadeAt !== null || mail?.state === 'queued'
  return isAtFirst && candidates.every(hasOne)
    ? 'No credential sheets needed. Every candidate has a password or an email on its way'
    : 'No candidates chosen'
}

const startOf = (at: string | null, timeZone: string) =>
  at ? `${momentIn(new Date(at), timeZone)} · ` : ''

function Sheet({ slips }: { slips: readonly Slip[] }) {
  const urlOf = useUrlOf()
  const assessment = useAssessment()
  const { opensAt, timeZone, durationSeconds } = assessment
  return (
    <>
      <div className="print:hidden">
        <Top
          title="Credential sheets"
          headline={`${countOf(slips.length, 'credential sheet')}, shown only once`}
          acts={
            <>
              <Link to={urlOf('candidates')} className="btn btn-ghost">
                Done
              </Link>
              <button type="button" className="btn" onClick={() => window.print()}>
                <Printer size={15} aria-hidden /> Print {slips.length}
              </button>
            </>
          }
        >
          When you leave this page, the passwords can’t be shown again. Another sheet has a new one.
        </Top>
      </div>
      <ul className="grid border-line border-t border-l border-dashed md:grid-cols-2 print:grid-cols-2">
        {slips.map((slip) => (
          <li
            key={slip.username}
            className="break-inside-avoid border-line-strong border-r border-b border-dashed px-5 py-4 print:border-black print:text-black print:[&_*]:text-black"
          >
            <p className="mb-2 flex justify-between gap-3 text-[12.5px] text-ink-2">
              <span>{[assessment.society, assessment.session].filter(Boolean).join(', ')}</span>
              {slip.room && <span>{roomTitle(slip.room)}</span>}
            </p>
            <p className="font-medium text-[16px]">{slip.name ?? slip.username}</p>
            <dl className="mt-2 grid grid-cols-[88px_1fr] gap-y-1">
              <dt className="text-ink-2">Username</dt>
              <dd className="break-all font-mono text-[15px]">{slip.username}</dd>
              <dt className="text-ink-2">Password</dt>
              <dd className="font-mono text-[15px]">{slip.password}</dd>
            </dl>
            <p className="hint mt-2 text-ink-2">
              {startOf(slip.startsFrom ?? opensAt, timeZone)}
              {minutesOf(durationSeconds + slip.extraSeconds)} minutes · {window.location.host}
              /recruitment
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}
