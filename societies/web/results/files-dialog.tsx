import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { FILES_WITHOUT_NAMES, type ResultFile } from '../../contract/results.ts'
import { countOf } from '../../number-words.ts'
import { FILES, FileButton } from './file-button.tsx'

/** What is in each. */
const WHAT: Record<ResultFile, string> = {
  csv: 'user, correct, incorrect, time, cheated: the columns of the results.',
  csv_without_names: 'The same with blind numbers.',
  workbook: 'Results, each answer, and the verdicts, on three sheets.',
  workbook_without_names: 'The same with blind numbers, without rooms and reasons.',
  sheet: '',
  sheets:
    'A page or two for each candidate: score with its error, group, verdicts, receipt. No ranking.',
  sheets_zip: 'A zip. It takes a tenth of a second for each.',
}

/** Every file that one may take, and what is in it. */
export function FilesDialog(props: {
  /** an owner: those with names too */
  mayTakeNames: boolean
  isFixed: boolean
  count: number
  /** of these, whose scores are covered until their incidents are decided */
  covered: number
  onClose: () => void
}) {
  const { mayTakeNames, isFixed, count, covered, onClose } = props
  const files = (Object.keys(FILES) as ResultFile[]).filter(
    (file) => file !== 'sheet' && (mayTakeNames || FILES_WITHOUT_NAMES.includes(file)),
  )
  return (
    <Dialog open onOpenChange={onClose} title={`Files of ${countOf(count, 'result')}`} wide>
      {mayTakeNames && !isFixed && (
        <p className="mb-3 text-ink-2">
          The line is not fixed: whoever takes a file with names before that stands in the log, and
          on this page.
        </p>
      )}
      {covered > 0 && (
        <p className="mb-3 text-ink-2">
          {covered === 1 ? 'One score is' : `${covered} scores are`} covered until the incidents are
          decided, and in no file without names.
          {mayTakeNames &&
            ' Files with names hold every score: whoever still has to decide should not take them.'}
        </p>
      )}
      <ul className="border-ink border-t">
        {files.map((file) => (
          <li
            key={file}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-3"
          >
            <span className="min-w-56 flex-1">
              <b className="block font-[550]">{FILES[file].label}</b>
              <span className="hint text-ink-2">{WHAT[file]}</span>
            </span>
            <FileButton file={file} label="Take it" />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
