import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { getAnalysis, writeAnalysis } from '../../contract/analysis.ts'
import { Top } from '../console/top.tsx'
import { Segments } from '../kit/fields.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { ActButton, useAct, usePlace } from '../kit/use-act.tsx'
import { type Analysis as Figures, headlineOf, sentenceOf, suspiciousOf } from './analysis-words.ts'
import { QuestionTable } from './question-table.tsx'
import { Worth } from './worth.tsx'

/** …/analysis: what the test is worth, question by question (product 7.18). */
export function Analysis() {
  const place = usePlace()
  const [form, setForm] = useState<'A' | 'B' | null>(null)
  const found = useEndpoint(getAnalysis, { params: place, query: form ? { form } : {} })
  return (
    <Loaded
      of={found}
      name="analysis"
      refused={({ code, message }) =>
        code === 'not_closed' && (
          <Top title="Analysis" headline="Not yet">
            {message}
          </Top>
        )
      }
    >
      {(analysis) => (
        <>
          <Top title="Analysis" headline={headlineOf(analysis)} acts={<Acts analysis={analysis} />}>
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
          <Shown analysis={analysis} />
        </>
      )}
    </Loaded>
  )
}

function Shown({ analysis }: { analysis: Figures }) {
  if (analysis.people === 0) {
    return (
      <p className="max-w-[66ch]">
        Here you will read how sure the scores are, which questions were too easy or too hard, and
        where a key is probably wrong. It is computed from the answers, so it begins when the first
        candidates have handed in; the more there are, the more can be said.
      </p>
    )
  }
  return (
    <>
      <Worth analysis={analysis} />
      <QuestionTable analysis={analysis} />
    </>
  )
}

function Acts({ analysis }: { analysis: Figures }) {
  const place = usePlace()
  const write = useAct(
    () =>
      call(writeAnalysis, { params: place, query: analysis.form ? { form: analysis.form } : {} }),
    ({ csv }) => {
      const name = ['analysis', place.code, analysis.form].filter(Boolean).join('-')
      // Excel reads it as UTF-8 by the mark at its beginning.
      saveAsFile(`${name}.csv`, `\uFEFF${csv}`, 'text/csv;charset=utf-8')
    },
  )
  const [first] = suspiciousOf(analysis)
  if (analysis.people === 0) return null
  return (
    <>
      <ActButton act={write}>
        <Download size={15} aria-hidden /> CSV
      </ActButton>
      {first && analysis.ruling !== 'none' && (
        <Link
          to={assessmentUrl(place.society, place.code, `analysis/${first.item}`)}
          className="btn"
        >
          {analysis.ruling === 'rule'
            ? `Rule on question ${first.item}…`
            : `Propose a ruling on question ${first.item}…`}
        </Link>
      )}
    </>
  )
}
