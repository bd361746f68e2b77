import { ArrowRight } from 'lucide-react'
import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { countOf } from '../../../../platform/words.ts'
import { blindNumber } from '../../../kit/role-words.ts'
import { marginOf } from '../../../kit/statistics/reliability.ts'
import { AskButton, REASON } from '../../../kit/web/ask.tsx'
import { useAssessment } from '../../../kit/web/console/console.tsx'
import { Heads, Section } from '../../../kit/web/section.tsx'
import { usePlace } from '../../../kit/web/use-act.tsx'
import { zoneMoment } from '../../../kit/zone-time.ts'
import {
  declineRuling,
  type getRulingPreview,
  type Moved,
  type PastRuling,
  type ShownConsequences,
  type ShownLine,
  withdrawRuling,
} from '../../contract-analysis.ts'
import { coefficient, pointsShown } from '../results-words.ts'

export type RulingPreview = ResponseOf<typeof getRulingPreview>

const COLUMNS =
  'md:grid-cols-[minmax(0,2.5fr)_70px_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]'

export function RulingChoice(props: {
  preview: RulingPreview
  rulings: readonly ShownConsequences[]
  chosen: ShownConsequences
  /** the cut score after a ruling, and who crosses it */
  acrossOf: (ruling: ShownConsequences) => ShownLine | undefined
  onChoose: (kind: ShownConsequences['kind']) => void
}) {
  const { preview, rulings, chosen, acrossOf, onChoose } = props
  return (
    <fieldset className="figures min-w-0 border-ink border-t">
      <legend className="sr-only">Ruling</legend>
      <div
        aria-hidden
        className={`hidden gap-x-5 border-line border-b px-4 pt-2.5 pb-2 text-end text-[12.5px] text-ink-2 md:grid ${COLUMNS}`}
      >
        <span className="text-start">Ruling</span>
        <span>KR-20</span>
        <span>Margin of error</span>
        <span>Results that change</span>
        <span>Cross the cut score{preview.line !== null && ` at ${preview.line}`}</span>
        <span>Largest move</span>
      </div>
      {rulings.map((ruling) => (
        <Row
          key={`${ruling.kind} ${ruling.option}`}
          ruling={ruling}
          preview={preview}
          isChosen={ruling === chosen}
          across={acrossOf(ruling)}
          onChoose={() => onChoose(ruling.kind)}
        />
      ))}
    </fieldset>
  )
}

function Row(props: {
  ruling: ShownConsequences
  preview: RulingPreview
  isChosen: boolean
  across: ShownLine | undefined
  onChoose: () => void
}) {
  const { ruling, isChosen, across } = props
  const { kind, reliability, error, up, down, largestRise, largestFall } = ruling
  const [name, meaning] = rulingWords(ruling, props.preview)
  const isLeave = kind === null
  const most = Math.max(largestRise, largestFall)
  const least = Math.min(largestRise, largestFall)
  const [way, back] = largestFall >= largestRise ? ['down', 'up'] : ['up', 'down']
  const figures: [label: string, value: string | number, small?: string | false | undefined][] = [
    ['KR-20', reliability === null ? '–' : coefficient(reliability)],
    ['Margin of error', error === null ? '–' : `± ${marginOf(error)}`],
    ['Results that change', up + down, partsOf([up, 'up'], [down, 'down'])],
    [
      'Cross the cut score',
      across ? across.in + across.out : '–',
      across && partsOf([across.in, 'in'], [across.out, 'out']),
    ],
    [
      'Largest move',
      most > 0 ? countOf(most, 'place') : '–',
      most > 0 && `${way}${least > 0 ? `, ${least} ${back}` : ''}`,
    ],
  ]
  return (
    <label
      className={`grid cursor-pointer grid-cols-2 gap-x-5 gap-y-2 border-line border-b px-4 py-2 md:min-h-12.5 md:items-center ${COLUMNS} ${isChosen ? 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]' : ''} ${isLeave ? 'md:min-h-9.5 text-ink-2' : ''}`}
    >
      <span className="col-span-2 grid grid-cols-[28px_minmax(0,1fr)] items-center max-md:min-h-11 md:col-span-1">
        <input type="radio" name="ruling" checked={isChosen} onChange={props.onChoose} />
        <span>
          <b className={isLeave ? 'font-normal' : 'font-[550]'}>{name}</b>
          {meaning && <small className="block text-[12.5px] text-ink-2">{meaning}</small>}
        </span>
      </span>
      {figures.map(([label, value, small]) => (
        <span key={label} className="md:text-end">
          <span className="block text-[12.5px] text-ink-2 md:sr-only">{label}</span>
          {value}
          {small && (
            <small className="text-[12.5px] text-ink-2 max-md:ml-2 md:block">{small}</small>
          )}
        </span>
      ))}
    </label>
  )
}

/** '63 up, 42 down'; zero counts are left out */
const partsOf = (...parts: [count: number, word: string][]) =>
  parts.flatMap(([count, word]) => (count > 0 ? `${count} ${word}` : [])).join(', ')

/** 'Replace the key: C instead of A', with an explanation */
function rulingWords(
  { kind, option, questions, up }: ShownConsequences,
  { keys, key, isVoid, isFullMarks }: RulingPreview,
): [name: string, meaning?: string] {
  const now = keys.join(' or ')
  const count = countOf(questions, 'question counts', 'questions count')
  switch (kind) {
    case null:
      return [
        `No change: ${isVoid ? 'the question is left out' : isFullMarks ? 'everyone gets the point' : `${now} is the key`}`,
      ]
    case 'replace':
      return [
        `Replace the key: ${option} instead of ${key}`,
        `candidates who chose ${key} lose the point`,
      ]
    case 'accept':
      return [`Accept ${option} as well as ${now}`, `no candidate loses a point, ${up} gain one`]
    case 'void':
      return ['Leave the question out', count]
    case 'full_marks':
      return ['Give everyone the point', `${count}, and everyone gets this one right`]
  }
}

export function Crossing({ line, across }: { line: number; across: ShownLine }) {
  const crossing = across.crossing ?? []
  const rises = crossing.filter(({ pointsAfter }) => pointsAfter >= across.points)
  const falls = crossing.filter(({ pointsAfter }) => pointsAfter < across.points)
  return (
    <section aria-labelledby="across">
      <h2 id="across" className="text-[19px]!">
        Across the cut score
      </h2>
      {crossing.length === 0 ? (
        <p className="mt-2 text-ink-2">
          No candidate crosses the cut score, {pointsShown(across.points)}
          {across.points !== line && ` instead of ${pointsShown(line)}`}.
        </p>
      ) : (
        <table className="table mt-2">
          <Heads of={[['Candidate'], ['Score', 'text-end!'], ['Rank', 'text-end!']]} />
          <tbody>
            <Group
              words={`${countOf(rises.length, 'moves', 'move')} to or above it`}
              candidates={rises}
            />
            <Group
              words={`${countOf(falls.length, 'falls', 'fall')} below it`}
              candidates={falls}
            />
          </tbody>
        </table>
      )}
    </section>
  )
}

function Group({ words, candidates }: { words: string; candidates: readonly Moved[] }) {
  if (candidates.length === 0) return null
  return (
    <>
      <tr>
        <td colSpan={3} className="align-bottom text-[12.5px] text-ink-2">
          {words}
        </td>
      </tr>
      {candidates.map((one) => (
        <tr key={one.number}>
          <td>{blindNumber(one.number)}</td>
          <Change before={one.points} after={one.pointsAfter} />
          <Change before={one.place} after={one.placeAfter} />
        </tr>
      ))}
    </>
  )
}

const Change = ({ before, after }: { before: number; after: number }) => (
  <td className="text-end">
    {before} <ArrowRight size={12} aria-label="to" className="inline text-ink-2" />{' '}
    <b className="font-semibold">{after}</b>
  </td>
)

/** 'C is the key instead', for a past ruling or proposal */
const wordsOf = ({ kind, option }: PastRuling) =>
  ({
    accept: `${option} accepted as well`,
    replace: `${option} is the key instead`,
    void: 'The question was left out',
    full_marks: 'Everyone got the point',
  })[kind]

export function Proposals(props: {
  preview: RulingPreview
  onAdopt: (proposal: PastRuling) => void
}) {
  const { preview } = props
  const place = usePlace()
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
              <button
                type="button"
                className="btn btn-ghost btn-small"
                onClick={() => props.onAdopt(one)}
              >
                Adopt…
              </button>
              <AskButton
                words="Decline…"
                className="btn btn-ghost btn-small"
                title="Decline the proposal?"
                text={`${one.by ?? 'The member'} will see the reason. No result changes.`}
                endpoint={declineRuling}
                input={{ params: { ...place, ruling: String(one.id) } }}
                fields={{ reason: REASON }}
                button={['Decline the proposal', 'Declining…']}
              />
            </span>
          ) : (
            <span className="text-ink-2">waiting for an owner</span>
          )}
        </div>
      ))}
    </section>
  )
}

export function PastRulings({ preview }: { preview: RulingPreview }) {
  const place = usePlace()
  const { timeZone } = useAssessment()
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
                <AskButton
                  words="Withdraw…"
                  className="btn btn-ghost btn-small"
                  title="Withdraw the ruling?"
                  text={`${countOf(one.changed, 'result changes', 'results change')} back${preview.openCount > 0 ? ', including those of candidates who are still taking the test' : ''}. The ruling and its reason stay visible.`}
                  endpoint={withdrawRuling}
                  input={{
                    params: { ...place, ruling: String(one.id) },
                    body: { version: preview.version },
                  }}
                  fields={{ reason: REASON }}
                  button={['Withdraw the ruling', 'Withdrawing…']}
                />
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
    </Section>
  )
}

function Changes({ ruling: { results, changed } }: { ruling: PastRuling }) {
  const words = `${countOf(changed, 'result')} changed when this ruling was made`
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
