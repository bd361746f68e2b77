import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { writeAnalysis } from '../../contract/analysis.ts'
import { Top } from '../console/top.tsx'
import { usePlace } from '../console/use-act.ts'
import { headlineOf, sentenceOf, suspiciousOf } from './analysis-words.ts'
import { analysisQuery, type Analysis as Figures, type Form } from './queries.ts'
import { QuestionTable } from './question-table.tsx'
import { Worth } from './worth.tsx'

/** …/analysis: what the test is worth, question by question (product 7.18). */
export function Analysis() {
  const place = usePlace()
  const [form, setForm] = useState<Form | null>(null)
  const found = useQuery(analysisQuery(place, form))
  if (!found.data) {
    if (!found.isError) return <Spinner />
    const isEarly = found.error instanceof ApiFailure && found.error.code === 'not_closed'
    if (isEarly) {
      return (
        <Top title="Analysis" headline="Not yet">
          {found.error.message}
        </Top>
      )
    }
    return (
      <Message
        isError
        title="The analysis could not be loaded"
        actions={<TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />}
      >
        {found.error.message}
      </Message>
    )
  }
  const analysis = found.data
  return (
    <>
      <Top title="Analysis" headline={headlineOf(analysis)} acts={<Acts analysis={analysis} />}>
        {sentenceOf(analysis)}
      </Top>
      {analysis.forms.length > 0 && (
        <fieldset className="segments mb-6">
          <legend className="sr-only">Form</legend>
          {analysis.forms.map((one) => (
            <button
              key={one}
              type="button"
              className="max-md:min-h-11!"
              aria-pressed={one === analysis.form}
              onClick={() => setForm(one)}
            >
              Form {one}
            </button>
          ))}
        </fieldset>
      )}
      <Shown analysis={analysis} />
    </>
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
  const writing = useMutation({
    mutationFn: () =>
      call(writeAnalysis, {
        params: { ...place },
        query: analysis.form ? { form: analysis.form } : {},
      }),
    onSuccess: ({ csv }) => {
      const name = ['analysis', place.code, analysis.form].filter(Boolean).join('-')
      // Excel reads it as UTF-8 by the mark at its beginning.
      saveAsFile(`${name}.csv`, `\uFEFF${csv}`, 'text/csv;charset=utf-8')
    },
  })
  const [first] = suspiciousOf(analysis)
  if (analysis.people === 0) return null
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost"
        aria-disabled={writing.isPending}
        onClick={() => !writing.isPending && writing.mutate()}
      >
        <Download size={15} aria-hidden /> CSV
      </button>
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
      {writing.error && (
        <p role="alert" className="amber">
          {writing.error.message}
        </p>
      )}
    </>
  )
}
