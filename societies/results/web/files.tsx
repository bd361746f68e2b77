import { Download } from 'lucide-react'
import { fetchFile } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { countOf } from '../../../platform/words.ts'
import { Section } from '../../kit/web/section.tsx'
import { ActButton, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { exportResultFile, type ResultFile } from '../contract.ts'

/**
 * The files of a test's results (product 7.17.8).
 * @param props.mayTakeNames an owner also gets the files with names
 * @param props.covered how many scores are hidden until their incidents are decided
 */
export function Files(props: { mayTakeNames: boolean; isFixed: boolean; covered: number }) {
  const { mayTakeNames, isFixed, covered } = props
  return (
    <Section title="Files">
      <ul>
        <FileRow
          file="csv_without_names"
          label="Without names (CSV)"
          name="results-without-names.csv"
        >
          Candidate number, correct, incorrect, time, cheated.
        </FileRow>
        {mayTakeNames && (
          <>
            <FileRow file="workbook" label="For the president (Excel)" name="results.xlsx">
              Names, scores, each answer, and the verdicts.
            </FileRow>
            <FileRow file="sheets" label="Result sheets (PDF)" name="result-sheets.pdf">
              One for each candidate: score with its error, group, verdicts, receipt.
            </FileRow>
          </>
        )}
      </ul>
      {mayTakeNames && !isFixed && (
        <p className="hint mt-2.5 text-ink-2">
          The cut score isn’t locked yet. The log and this page show who downloads a file with names
          before it is.
        </p>
      )}
      {covered > 0 && (
        <p className="hint mt-2.5 text-ink-2">
          {countOf(covered, 'score is', 'scores are')} hidden until the incidents are decided, and
          not in the file without names.
          {mayTakeNames && ' The files with names have every score.'}
        </p>
      )}
    </Section>
  )
}

function FileRow(props: { file: ResultFile; label: string; name: string; children: string }) {
  const { file, label, name, children } = props
  const place = usePlace()
  const take = useAct(
    () => fetchFile(exportResultFile, { params: place, body: { file } }),
    (blob) => saveAsFile(`${place.code}-${name}`, blob, blob.type),
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
      <span className="hint block text-ink-2">{children}</span>
    </li>
  )
}
