import { useState } from 'react'
import { countOf } from '../../../../platform/words.ts'
import { blindNumber } from '../../../kit/role-words.ts'
import { ActionDialog, REASON } from '../../../kit/web/ask.tsx'
import { useAssessment } from '../../../kit/web/console/console.tsx'
import { Section } from '../../../kit/web/section.tsx'
import { usePlace } from '../../../kit/web/use-act.tsx'
import { zoneMoment } from '../../../kit/zone-time.ts'
import { declineRuling, type PastRuling, withdrawRuling } from '../../contract-analysis.ts'
import type { RulingPreview } from './ruling-choice.tsx'

/** 'C is the key instead', as something that was ruled or proposed. */
const wordsOf = ({ kind, option }: PastRuling) =>
  ({
    accept: `${option} accepted as well`,
    replace: `${option} is the key instead`,
    void: 'The question was left out',
    full_marks: 'Everyone got the point',
  })[kind]

const SmallButton = (props: { onClick: () => void; children: string }) => (
  <button type="button" className="btn btn-ghost btn-small" onClick={props.onClick}>
    {props.children}
  </button>
)

/** Proposals that wait for an owner, who takes them on or declines them. */
export function Proposals(props: {
  preview: RulingPreview
  onAdopt: (proposal: PastRuling) => void
}) {
  const { preview } = props
  const place = usePlace()
  const [declined, setDeclined] = useState<PastRuling | null>(null)
  const waiting = preview.past.filter(({ isProposal, withdrawn }) => isProposal && !withdrawn)
  if (waiting.length === 0) return null
  return (
    <section aria-label="Proposed rulings" className="mb-6 grid gap-2">
      {waiting.map((one) => (
        <div key={one.id} className="warning flex-wrap items-center">
          <p className="min-w-0 flex-1">
            <b className="font-semibold">
              {one.by ?? 'A member'} proposes: {wordsOf(one)}.
            </b>{' '}
            {one.reason}
          </p>
          {preview.ruling === 'rule' ? (
            <span className="flex gap-2">
              <SmallButton onClick={() => props.onAdopt(one)}>Adopt…</SmallButton>
              <SmallButton onClick={() => setDeclined(one)}>Decline…</SmallButton>
            </span>
          ) : (
            <span className="text-ink-2">waits for an owner</span>
          )}
        </div>
      ))}
      {declined && (
        <ActionDialog
          title="Decline the proposal?"
          text={`${declined.by ?? 'The member'} sees the reason. Nothing changes.`}
          endpoint={declineRuling}
          input={{ params: { ...place, ruling: String(declined.id) } }}
          fields={{ reason: REASON }}
          button={['Decline the proposal', 'Declining…']}
          onClose={() => setDeclined(null)}
        />
      )}
    </section>
  )
}

/** Earlier rulings, with every result that each of them changed. */
export function PastRulings({ preview }: { preview: RulingPreview }) {
  const place = usePlace()
  const { timeZone } = useAssessment()
  const [undone, setUndone] = useState<PastRuling | null>(null)
  const past = preview.past.filter(({ isProposal, withdrawn }) => !isProposal || withdrawn)
  if (past.length === 0) return null
  const moment = (iso: string) => zoneMoment(iso, timeZone, Date.now())
  return (
    <Section title="Earlier rulings" hint="every earlier result is kept" className="mt-9">
      <ol>
        {past.map((one) => (
          <li key={one.id} className="border-line border-b py-3">
            <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
              <b
                className={`font-semibold ${one.withdrawn && !one.isProposal ? 'line-through' : ''}`}
              >
                {one.isProposal && 'Proposed: '}
                {wordsOf(one)}
              </b>
              <span className="hint flex-1">
                {one.by ?? 'the command line'}, {moment(one.at)}
              </span>
              {!one.withdrawn && preview.ruling === 'rule' && (
                <SmallButton onClick={() => setUndone(one)}>Withdraw…</SmallButton>
              )}
            </div>
            <p className="mt-1 text-ink-2">{one.reason}</p>
            {one.withdrawn && (
              <p className="mt-1 text-ink-2">
                {one.isProposal ? (one.withdrawn.reason ? 'Declined' : 'Adopted') : 'Withdrawn'} by{' '}
                {one.withdrawn.by}, {moment(one.withdrawn.at)}
                {one.withdrawn.reason && `: ${one.withdrawn.reason}`}
              </p>
            )}
            {!one.isProposal && <Changes ruling={one} />}
          </li>
        ))}
      </ol>
      {undone && (
        <ActionDialog
          title="Withdraw the ruling?"
          text={`${countOf(undone.changed, 'result goes', 'results go')} back to what ${undone.changed === 1 ? 'it' : 'they'} would be without it${preview.openCount > 0 ? ', also for candidates who are still taking the test' : ''}. The ruling and its reason stay readable.`}
          endpoint={withdrawRuling}
          input={{
            params: { ...place, ruling: String(undone.id) },
            body: { version: preview.version },
          }}
          fields={{ reason: REASON }}
          button={['Withdraw the ruling', 'Withdrawing…']}
          onClose={() => setUndone(null)}
        />
      )}
    </Section>
  )
}

function Changes({ ruling: { results, changed } }: { ruling: PastRuling }) {
  const words = `${countOf(changed, 'result')} changed when it was made`
  if (!results?.length) return <p className="hint mt-1">{words}</p>
  return (
    <details className="mt-1">
      <summary className="hint min-h-7 cursor-pointer max-md:min-h-11">{words}</summary>
      <ul className="figures grid grid-cols-[repeat(auto-fill,minmax(110px,1fr))] gap-x-5 pt-1">
        {results.map(({ number, before, after }) => (
          <li key={number}>
            {blindNumber(number)}: {before} to <b className="font-semibold">{after}</b>
          </li>
        ))}
      </ul>
    </details>
  )
}
