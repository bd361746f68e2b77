import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { fetchFile } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { exportResultFile, type ResultFile } from '../../contract/results.ts'
import { useProof } from '../console/proof.tsx'
import { sentenceOf, usePlace } from '../console/use-act.ts'
import { resultsKey } from './queries.ts'

const FILES: Record<ResultFile, { label: string; what: string; ending: string }> = {
  csv_without_names: {
    label: 'Without names (CSV)',
    what: 'Candidate number, correct, incorrect, time, cheated.',
    ending: 'results-without-names.csv',
  },
  workbook: {
    label: 'For the president (Excel)',
    what: 'Names, scores, each answer, and the verdicts.',
    ending: 'results.xlsx',
  },
  sheets: {
    label: 'Result sheets (PDF)',
    what: 'One for each candidate: score with its error, group, verdicts, receipt.',
    ending: 'result-sheets.pdf',
  },
}

/** The files of a test's results (product 7.17.8). */
export function Files(props: {
  /** an owner: those with names too */
  mayTakeNames: boolean
  isFixed: boolean
  /** how many scores are covered until their incidents are decided */
  covered: number
}) {
  const { mayTakeNames, isFixed, covered } = props
  return (
    <section aria-labelledby="files">
      <div className="head">
        <h2 id="files">Files</h2>
      </div>
      <ul>
        <FileRow file="csv_without_names" />
        {mayTakeNames && (
          <>
            <FileRow file="workbook" />
            <FileRow file="sheets" />
          </>
        )}
      </ul>
      {mayTakeNames && !isFixed && (
        <p className="hint mt-2.5 text-ink-2">
          The line is not fixed yet. The log and this page show who takes a file with names before
          that.
        </p>
      )}
      {covered > 0 && (
        <p className="hint mt-2.5 text-ink-2">
          {covered === 1 ? 'One score is' : `${covered} scores are`} covered until the incidents are
          decided, and not in the file without names.
          {mayTakeNames && ' The files with names have every score.'}
        </p>
      )}
    </section>
  )
}

/** Takes a file, after a proof of who it is where the last one is too long ago. */
function FileRow({ file }: { file: ResultFile }) {
  const { label, what, ending } = FILES[file]
  const place = usePlace()
  const client = useQueryClient()
  const withProof = useProof()
  const taking = useMutation({
    mutationFn: () =>
      withProof(() => fetchFile(exportResultFile, { params: place, body: { file } })),
    onSuccess: (blob) => saveAsFile(`${place.code}-${ending}`, blob, blob.type),
    // Taking names along may be a look ahead of the choice.
    onSettled: () => client.invalidateQueries({ queryKey: resultsKey(place), exact: true }),
  })
  return (
    <li className="border-line border-b py-2.5">
      <button
        type="button"
        className="quiet-link flex min-h-7 items-center gap-2 max-md:min-h-11"
        aria-disabled={taking.isPending}
        onClick={() => !taking.isPending && taking.mutate()}
      >
        <Download size={14} aria-hidden />
        {taking.isPending ? 'Writing…' : label}
      </button>
      <span className="hint block text-ink-2">{what}</span>
      {taking.error && (
        <span role="alert" className="amber text-[13px]">
          {sentenceOf(taking.error)}
        </span>
      )}
    </li>
  )
}
