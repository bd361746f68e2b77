import { Download } from 'lucide-react'
import { fetchFile } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { exportResultFile, type ResultFile } from '../../contract/results.ts'
import { Section } from '../kit/section.tsx'
import { ActButton, useAct, usePlace } from '../kit/use-act.tsx'

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

/**
 * The files of a test's results (product 7.17.8).
 * @param props.mayTakeNames an owner: those with names too
 * @param props.covered how many scores are covered until their incidents are decided
 */
export function Files(props: { mayTakeNames: boolean; isFixed: boolean; covered: number }) {
  const { mayTakeNames, isFixed, covered } = props
  return (
    <Section title="Files">
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
    </Section>
  )
}

function FileRow({ file }: { file: ResultFile }) {
  const { label, what, ending } = FILES[file]
  const place = usePlace()
  const take = useAct(
    () => fetchFile(exportResultFile, { params: place, body: { file } }),
    (blob) => saveAsFile(`${place.code}-${ending}`, blob, blob.type),
  )
  return (
    <li className="border-line border-b py-2.5">
      <ActButton
        act={take}
        busy="Writing…"
        className="quiet-link flex min-h-7 items-center gap-2 max-md:min-h-11"
      >
        <Download size={14} aria-hidden />
        {label}
      </ActButton>
      <span className="hint block text-ink-2">{what}</span>
    </li>
  )
}
