import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { OPTION_LETTERS, type OptionLetter } from '../../../../platform/options.ts'
import { call } from '../../../../platform/web/api.ts'
import { Message } from '../../../../platform/web/ui/message.tsx'
import { toast } from '../../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../../platform/words.ts'
import { CoveredKeys } from '../../../kit/web/covered-keys.tsx'
import { AreaField, Segments, Tick } from '../../../kit/web/fields.tsx'
import { Loaded } from '../../../kit/web/loaded.tsx'
import { Top } from '../../../kit/web/section.tsx'
import { Problem, useAct, useMayAll, usePlace, useUrlOf } from '../../../kit/web/use-act.tsx'
import {
  getRulingPreview,
  type PastRuling,
  proposeRuling,
  type Ruling as RulingBody,
  ruleOnQuestion,
  type ShownConsequences,
} from '../../contract-analysis.ts'
import { Crossing, PastRulings, Proposals, RulingChoice, type RulingPreview } from './rulings.tsx'

/** …/analysis/:item shows what each ruling on a question would do, and makes one (product 7.18.7). */
export function RulingPage() {
  const place = usePlace()
  const urlOf = useUrlOf()
  const { item = '' } = useParams()
  const found = useEndpoint(
    getRulingPreview,
    { params: { ...place, item } },
    // The result depends on all answers, so each visit fetches it again.
    { staleTime: 0, gcTime: 0 },
  )
  return (
    <Loaded
      of={found}
      name="rulings"
      refused={({ code, message }) =>
        code === 'fresh_proof_required' ? (
          <CoveredKeys title="Rulings" read={() => found.refetch({ throwOnError: true })} />
        ) : (
          <Message
            isError
            title="No ruling is possible here"
            actions={
              <Link to={urlOf('analysis')} className="btn">
                Analysis
              </Link>
            }
          >
            {message}
          </Message>
        )
      }
    >
      {/* Withdrawing a ruling can change the suspected option, which is the default choice. */}
      {(preview) => <Ruling key={`${item} ${preview.suspected}`} preview={preview} />}
    </Loaded>
  )
}

function Ruling({ preview }: { preview: RulingPreview }) {
  const urlOf = useUrlOf()
  const seesScores = useMayAll('see_scores')
  const others = OPTION_LETTERS.filter((letter) => letter !== preview.key)
  const ruled = preview.past.find(({ withdrawn, isProposal }) => !withdrawn && !isProposal)?.option
  const [option, setOption] = useState<OptionLetter>(
    preview.elsewhere ?? preview.suspected ?? ruled ?? others[0] ?? 'A',
  )
  const [kind, setKind] = useState<ShownConsequences['kind']>(
    preview.elsewhere || preview.suspected ? 'replace' : null,
  )
  const [movesLine, setMovesLine] = useState(false)
  const [adopted, setAdopted] = useState<PastRuling | null>(null)
  const analysisUrl = urlOf('analysis')
  const rulings = preview.rulings.filter((one) => one.option === null || one.option === option)
  const leave = preview.rulings[0] as ShownConsequences
  const chosen = rulings.find((one) => one.kind === kind) ?? leave
  const isProposal = preview.ruling === 'propose'
  /** the lower cut score for a voided question */
  const movedOf = ({ kind, lines }: ShownConsequences) => (kind === 'void' ? lines[1] : undefined)
  const acrossOf = (of: ShownConsequences) => (movesLine && movedOf(of)) || of.lines[0]
  const across = acrossOf(chosen)
  const moved = movedOf(chosen)

  const adopt = (one: PastRuling) => {
    setKind(one.kind)
    if (one.option) setOption(one.option)
    setAdopted(one)
  }
  return (
    <>
      <p className="mb-2">
        <Link
          to={analysisUrl}
          className="quiet-link inline-flex max-md:min-h-11 max-md:items-center"
        >
          Analysis
        </Link>
      </p>
      <Top
        title={`Ruling on question ${preview.item}`}
        headline={`${isProposal ? 'Propose a ruling' : 'Rule'} on question ${preview.item}`}
      >
        {isProposal && 'An owner decides on your proposal. '}A ruling applies to all{' '}
        {countOf(preview.people, 'candidate')}
        {preview.openCount > 0 && `, and to ${preview.openCount} still taking the test`}. Each row
        was just computed from all answers. Nothing changes until you press the button.
      </Top>
      {preview.elsewhere && (
        <p className="warning mb-4">
          In another test, {preview.elsewhere} replaced the key of this question. Use the new key
          here?
        </p>
      )}
      <Proposals preview={preview} onAdopt={adopt} />
      <div className="border-line border-t pt-4">
        <p className="max-w-[100ch] whitespace-pre-line text-pretty break-words">
          {preview.question}
        </p>
        <ol className="mt-2 grid gap-x-8 gap-y-1 text-[13.5px] md:grid-cols-2">
          {OPTION_LETTERS.map((letter) => (
            <li key={letter} className="break-words">
              <b className="font-semibold">{letter}</b> {preview.options[letter]}
              {preview.keys.includes(letter) && !preview.isVoid && (
                <span className="chip chip-right ml-2">
                  {letter === preview.key ? 'key' : 'right'}
                </span>
              )}
            </li>
          ))}
        </ol>
      </div>
      {preview.rulings.length === 1 ? (
        <p className="mt-5 text-ink-2">
          {preview.isVoid ? 'The question is left out' : 'Everyone gets the point'}. To make another
          ruling, withdraw this one first.
        </p>
      ) : (
        <>
          <div className="mt-6 mb-3 flex flex-wrap items-center gap-3">
            <span aria-hidden className="text-ink-2">
              The right option
            </span>
            <Segments
              legend="The right option"
              options={others.map((letter) => [letter, letter] as const)}
              value={option}
              onChange={setOption}
            />
            {preview.suspected && (
              <span className="hint">stronger candidates chose {preview.suspected}</span>
            )}
          </div>
          <RulingChoice
            preview={preview}
            rulings={rulings}
            chosen={chosen}
            acrossOf={acrossOf}
            onChoose={setKind}
          />
          {moved && preview.line !== null && (
            <Tick
              className="mt-3"
              checked={movesLine}
              onChange={setMovesLine}
              label={`Lower the cut score to ${moved.points}, because one question no longer counts`}
              hint={`Otherwise it stays at ${preview.line} of ${chosen.questions}.`}
            />
          )}
          {seesScores && (
            <div className="mt-5 max-w-140">
              {across && preview.line !== null ? (
                <Crossing line={preview.line} across={across} />
              ) : (
                <p className="text-ink-2">There is no cut score yet. Set one under Results.</p>
              )}
            </div>
          )}
          <RulingForm
            key={adopted?.id}
            preview={preview}
            chosen={chosen}
            line={movesLine && moved ? moved.points : null}
            adopted={adopted}
          />
        </>
      )}
      <PastRulings preview={preview} />
    </>
  )
}

function RulingForm(props: {
  preview: RulingPreview
  chosen: ShownConsequences
  /** the new cut score; null: unchanged */
  line: number | null
  /** the proposal that this ruling adopts */
  adopted: PastRuling | null
}) {
  const { preview, chosen, line, adopted } = props
  const [reason, setReason] = useState(adopted?.reason ?? '')
  const place = usePlace()
  const urlOf = useUrlOf()
  const navigate = useNavigate()
  const analysisUrl = urlOf('analysis')
  const isProposal = preview.ruling === 'propose'
  const acting = useAct(
    (typed: { ruling: RulingBody; reason: string; line: number | null }, requestId) => {
      const params = { ...place, item: String(preview.item) }
      const { line, ...ruled } = typed
      const body = { ...ruled, version: preview.version, requestId }
      if (isProposal) return call(proposeRuling, { params, body })
      return call(ruleOnQuestion, {
        params,
        body: {
          ...body,
          ...(adopted && { proposal: adopted.id }),
          ...(line !== null && { line }),
        },
      })
    },
    ({ changed }) => {
      if (isProposal) toast.success('Proposed', 'Owners can see it on this page.')
      else toast.success('Ruled', `${countOf(changed, 'result has', 'results have')} changed.`)
      void navigate(analysisUrl)
    },
    undefined,
    (typed) => typed,
  )
  const ruling = { kind: chosen.kind, option: chosen.option } as RulingBody
  const canAct = chosen.kind !== null && reason.trim() !== '' && !acting.isBusy
  return (
    <form
      className="mt-6 flex flex-wrap items-end gap-x-4 gap-y-3 border-line border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (canAct) acting.run({ ruling, reason: reason.trim(), line })
      }}
    >
      <AreaField
        className="w-105 max-w-full"
        label="Reason"
        hint="The fairness report shows this reason."
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
      <span className="flex flex-1 flex-wrap justify-end gap-2">
        <Link to={analysisUrl} className="btn btn-ghost">
          Cancel
        </Link>
        <button type="submit" className="btn" aria-disabled={!canAct}>
          {chosen.kind === null
            ? 'Choose a ruling'
            : acting.isBusy
              ? 'Ruling…'
              : buttonWords(chosen, isProposal)}
        </button>
      </span>
      <Problem text={acting.problem} />
    </form>
  )
}

/** 'Replace the key: 105 results change', 'Propose: replace the key' */
function buttonWords({ kind, option, up, down }: ShownConsequences, isProposal: boolean): string {
  const act = {
    replace: 'Replace the key',
    accept: `Accept ${option} as well`,
    void: 'Leave the question out',
    full_marks: 'Give everyone the point',
  }[kind ?? 'void']
  return isProposal
    ? `Propose: ${act.charAt(0).toLowerCase()}${act.slice(1)}`
    : `${act}: ${countOf(up + down, 'result changes', 'results change')}`
}
