import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { type PastRuling, proposeRuling, ruleOnQuestion } from '../../contract/analysis.ts'
import { countOf } from '../../number-words.ts'
import { useProof } from '../console/proof.tsx'
import { ReasonField } from '../console/reason-field.tsx'
import { Top } from '../console/top.tsx'
import { useAct, usePlace } from '../console/use-act.ts'
import { type RulingPreview, rulingQuery } from './queries.ts'
import { AcrossTheLine } from './ruling/across-the-line.tsx'
import { PastRulings, Proposals } from './ruling/past-rulings.tsx'
import { Places } from './ruling/places.tsx'
import { RulingChoice } from './ruling/ruling-choice.tsx'
import { actWords, sentOf } from './ruling/ruling-words.ts'

/** …/analysis/:item: what each ruling on a question would do, and the ruling itself (product 7.18.7). */
export function RulingPage() {
  const place = usePlace()
  const { item = '' } = useParams()
  const found = useQuery(rulingQuery(place, item))
  // Once a ruling is taken back, the option that seems right is another one: what is chosen begins anew.
  if (found.data) return <Ruling key={`${item} ${found.data.suspected}`} preview={found.data} />
  if (!found.isError) return <Spinner />
  const isRefused = found.error instanceof ApiFailure && !found.error.isTemporary
  return (
    <Message
      isError
      title={isRefused ? 'There is nothing to rule on here' : 'The rulings could not be computed'}
      actions={
        isRefused ? (
          <Link to={assessmentUrl(place.society, place.code, 'analysis')} className="btn">
            Analysis
          </Link>
        ) : (
          <TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />
        )
      }
    >
      {found.error.message}
    </Message>
  )
}

type Kind = RulingPreview['rulings'][number]['kind']

function Ruling({ preview }: { preview: RulingPreview }) {
  const place = usePlace()
  const navigate = useNavigate()
  const withProof = useProof()
  const others = OPTION_LETTERS.filter((letter) => letter !== preview.key)
  const ruled = preview.past.find(({ withdrawn, isProposal }) => !withdrawn && !isProposal)?.option
  const [option, setOption] = useState<OptionLetter>(preview.suspected ?? ruled ?? others[0] ?? 'A')
  const [kind, setKind] = useState<Kind>(preview.suspected ? 'replace' : null)
  const [reason, setReason] = useState('')
  const [movesLine, setMovesLine] = useState(false)
  const [proposal, setProposal] = useState<number | null>(null)
  const analysisUrl = assessmentUrl(place.society, place.code, 'analysis')
  const rulings = preview.rulings.filter((one) => one.option === null || one.option === option)
  const leave = preview.rulings[0] as RulingPreview['rulings'][number]
  const chosen = rulings.find((one) => one.kind === kind) ?? leave
  const isProposal = preview.ruling === 'propose'
  const lineIndex = (of: typeof chosen) => (movesLine && of.kind === 'void' && of.lines[1] ? 1 : 0)
  const across = chosen.lines[lineIndex(chosen)]
  const moved = chosen.kind === 'void' ? chosen.lines[1] : undefined

  const acting = useAct(
    (_: undefined, requestId) => {
      const ruling = sentOf(chosen.kind, chosen.option)
      if (!ruling) return Promise.reject(new Error('Choose a ruling first.'))
      const params = { ...place, item: String(preview.item) }
      const body = { ruling, reason: reason.trim(), version: preview.version, requestId }
      if (isProposal) return call(proposeRuling, { params, body })
      const more = {
        ...(proposal === null ? {} : { proposal }),
        ...(movesLine && moved ? { line: moved.points } : {}),
      }
      return withProof(() => call(ruleOnQuestion, { params, body: { ...body, ...more } }))
    },
    ({ changed }) => {
      if (isProposal) toast.success('Proposed', 'An owner sees it on this page.')
      else toast.success('Ruled', `${countOf(changed, 'result has', 'results have')} changed.`)
      void navigate(analysisUrl)
    },
  )
  const canAct = chosen.kind !== null && reason.trim() !== '' && !acting.isBusy
  const adopt = (one: PastRuling) => {
    setKind(one.kind)
    if (one.option) setOption(one.option)
    setReason(one.reason)
    setProposal(one.id)
  }
  const isSettled = preview.rulings.length === 1

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
        {isProposal ? 'An owner decides on it. ' : ''}It holds for all {preview.people}
        {preview.openCount > 0
          ? `, and for ${preview.openCount === 1 ? 'the one who is' : `the ${preview.openCount} who are`} still inside`
          : ''}
        . Each line was computed just now with everybody’s answers; nothing is changed before you
        press.
      </Top>
      <Proposals preview={preview} onAdopt={adopt} />
      <Question preview={preview} />
      {isSettled ? (
        <p className="mt-5 text-ink-2">
          {preview.isVoid ? 'The question is left out' : 'Everybody has the point'}. To rule
          otherwise, take that back first.
        </p>
      ) : (
        <>
          <div className="mt-6 mb-3 flex flex-wrap items-center gap-3">
            <span id="which" className="text-ink-2">
              The option that is right
            </span>
            <fieldset className="segments" aria-labelledby="which">
              {others.map((letter) => (
                <button
                  key={letter}
                  type="button"
                  className="max-md:min-h-11!"
                  aria-pressed={letter === option}
                  onClick={() => setOption(letter)}
                >
                  {letter}
                </button>
              ))}
            </fieldset>
            {preview.suspected && (
              <span className="hint">better candidates chose {preview.suspected}</span>
            )}
          </div>
          <RulingChoice
            preview={preview}
            rulings={rulings}
            chosen={chosen}
            lineIndex={lineIndex}
            onChoose={(one) => setKind(one.kind)}
          />
          {moved && preview.line !== null && (
            <label className="mt-3 flex min-h-8 items-center gap-2.5 max-md:min-h-11">
              <input
                type="checkbox"
                checked={movesLine}
                onChange={(event) => setMovesLine(event.target.checked)}
              />
              <span>
                Move the line to {moved.points}: one question fewer counts
                <span className="text-ink-2">
                  . Otherwise it stays at {preview.line}, of {chosen.questions}.
                </span>
              </span>
            </label>
          )}
          {chosen.places && (
            <div className="mt-5 grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
              {across && preview.line !== null ? (
                <AcrossTheLine line={preview.line} across={across} />
              ) : (
                <p className="text-ink-2">
                  No line is drawn yet, so nobody crosses it. It is drawn under Results.
                </p>
              )}
              <Places
                places={chosen.places}
                line={preview.line}
                lineAfter={across?.points ?? null}
              />
            </div>
          )}
          <form
            className="mt-6 flex flex-wrap items-end gap-x-4 gap-y-3 border-line border-t pt-4"
            onSubmit={(event) => {
              event.preventDefault()
              if (canAct) acting.run(undefined)
            }}
          >
            <div className="w-105 max-w-full">
              <label htmlFor="reason" className="label">
                Reason
              </label>
              <ReasonField
                id="reason"
                value={reason}
                maxLength={500}
                aria-describedby="public"
                onChange={setReason}
              />
            </div>
            <span id="public" className="hint self-center pt-4 max-md:pt-0">
              The fairness report shows this reason.
            </span>
            <span className="flex flex-1 flex-wrap justify-end gap-2">
              <Link to={analysisUrl} className="btn btn-ghost">
                Cancel
              </Link>
              <button type="submit" className="btn" aria-disabled={!canAct}>
                {chosen.kind === null
                  ? 'Choose a ruling'
                  : acting.isBusy
                    ? 'Ruling…'
                    : actWords(chosen, isProposal)}
              </button>
            </span>
            {acting.problem && (
              <p role="alert" className="amber w-full text-end">
                {acting.problem}
              </p>
            )}
          </form>
        </>
      )}
      <PastRulings preview={preview} />
    </>
  )
}

function Question({ preview }: { preview: RulingPreview }) {
  return (
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
  )
}
