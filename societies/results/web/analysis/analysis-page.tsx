import { type ReactNode, useState } from 'react'
import { useEndpoint } from '../../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../../platform/words.ts'
import { marginOf } from '../../../kit/statistics/reliability.ts'
import { FIGURES_FROM } from '../../../kit/statistics/responses.ts'
import { CoveredKeys } from '../../../kit/web/covered-keys.tsx'
import { Segments } from '../../../kit/web/fields.tsx'
import { Loaded } from '../../../kit/web/loaded.tsx'
import { Top } from '../../../kit/web/section.tsx'
import { usePlace } from '../../../kit/web/use-act.tsx'
import { getAnalysis } from '../../contract-analysis.ts'
import { coefficient, decimal } from '../results-words.ts'
import {
  type Analysis as Answer,
  endWords,
  headlineOf,
  lengthWords,
  paceWords,
  reliabilityWords,
  sentenceOf,
  suspectOf,
  wholePointsApart,
} from './analysis-words.ts'
import { QuestionTable, RuleLink } from './question-table.tsx'

/** …/analysis shows the item analysis (product 7.18). */
export function Analysis() {
  const place = usePlace()
  const [form, setForm] = useState<'A' | 'B' | null>(null)
  const found = useEndpoint(getAnalysis, { params: place, query: form ? { form } : {} })
  return (
    <Loaded
      of={found}
      name="analysis"
      refused={({ code, message }) =>
        code === 'fresh_proof_required' ? (
          <CoveredKeys title="Analysis" read={() => found.refetch({ throwOnError: true })} />
        ) : (
          code === 'not_closed' && (
            <Top title="Analysis" headline="Not yet">
              {message}
            </Top>
          )
        )
      }
    >
      {(analysis) => {
        const first = analysis.questions.find(suspectOf)
        return (
          <>
            <Top
              title="Analysis"
              headline={headlineOf(analysis)}
              acts={
                first && <RuleLink item={first.item} ruling={analysis.ruling} className="btn" />
              }
            >
              {sentenceOf(analysis)}
            </Top>
            {analysis.forms.length > 0 && (
              <Segments
                legend="Form"
                className="mb-6"
                options={analysis.forms.map((one) => [one, `Form ${one}`] as const)}
                value={analysis.form}
                onChange={setForm}
              />
            )}
            {analysis.people === 0 ? (
              <p className="max-w-[66ch]">
                This page will show how precise the scores are, which questions were too easy or too
                hard, and which keys are probably wrong. The first figures appear once candidates
                submit, and more follow as more candidates finish.
              </p>
            ) : (
              <>
                {analysis.people >= FIGURES_FROM && <Worth analysis={analysis} />}
                <QuestionTable analysis={analysis} />
              </>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** Shows the reliability, its meaning, the precision of a score and a useful length (product 7.18.3). */
function Worth({ analysis }: { analysis: Answer }) {
  const { reliability, people, questionCount } = analysis
  if (!reliability) {
    return (
      <p className="mb-6 text-ink-2">
        Reliability can't be computed: all candidates have the same score, or fewer than two
        questions count.
      </p>
    )
  }
  const { alpha, error } = reliability
  const [word, meaning] = reliabilityWords(alpha)
  const [length, lengthMeans] = lengthWords(questionCount, alpha)
  const pace = paceWords(analysis)
  return (
    <>
      <div className="figures mb-7.5 grid border-line border-t border-t-ink border-b lg:grid-cols-[auto_repeat(3,minmax(0,1fr))] md:max-lg:grid-cols-2">
        <div className="pt-3.5 pr-7 pb-4">
          <p className="hint">Reliability, KR-20</p>
          <p className="count mt-2 text-[60px]!">{coefficient(alpha)}</p>
          <p className="hint mt-1">n = {people}</p>
        </div>
        <Piece label="Meaning" value={word}>
          {meaning}
        </Piece>
        <Piece label="Margin of error" value={`± ${countOf(marginOf(error), 'point')}`}>
          Standard error {decimal(error)}. Two scores are clearly different if they are at least{' '}
          {wholePointsApart(error)} points apart.
        </Piece>
        <Piece label="To reach .80" value={length}>
          {lengthMeans} {endWords(analysis)}
        </Piece>
      </div>
      {pace && <p className="-mt-3 mb-7 text-[13px] text-ink-2">{pace}</p>}
    </>
  )
}

const Piece = (props: { label: string; value: string; children: ReactNode }) => (
  <div className="border-line pt-3.5 pr-5 pb-4 max-lg:border-t lg:border-l lg:pl-7">
    <p className="hint">{props.label}</p>
    <p className="mt-1 font-medium font-serif text-[24px] tracking-[-0.015em]">{props.value}</p>
    <p className="mt-1 text-pretty text-[13px] text-ink-2 leading-[1.4]">{props.children}</p>
  </div>
)
