import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { fetchFile } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { exportResultFile, FILES_WITHOUT_NAMES, type ResultFile } from '../../contract/results.ts'
import { countOf } from '../../number-words.ts'
import { sentenceOf, usePlace } from '../candidates/use-act.ts'
import { useProof } from '../console/proof.tsx'
import { resultsKey } from './queries.ts'

const FILES: Record<ResultFile, { label: string; ending: string; what: string }> = {
  csv: {
    label: 'CSV with usernames',
    ending: 'results.csv',
    what: 'user, correct, incorrect, time, cheated: the columns of the results.',
  },
  csv_without_names: {
    label: 'CSV without names',
    ending: 'results-without-names.csv',
    what: 'The same with blind numbers.',
  },
  workbook: {
    label: 'Spreadsheet with names',
    ending: 'results.xlsx',
    what: 'Results, each answer, and the verdicts, on three sheets.',
  },
  workbook_without_names: {
    label: 'Spreadsheet without names',
    ending: 'results-without-names.xlsx',
    what: 'The same with blind numbers, without rooms and reasons.',
  },
  sheet: { label: 'Result sheet', ending: 'result-sheet.pdf', what: '' },
  sheets: {
    label: 'All result sheets, one PDF',
    ending: 'result-sheets.pdf',
    what: 'A page or two for each candidate: score with its error, group, verdicts, receipt. No ranking.',
  },
  sheets_zip: {
    label: 'All result sheets, a PDF each',
    ending: 'result-sheets.zip',
    what: 'A zip. It takes a tenth of a second for each.',
  },
}

/** Takes a file, after a proof of who it is where the last one is too long ago. */
function useFile() {
  const place = usePlace()
  const client = useQueryClient()
  const withProof = useProof()
  return useMutation({
    mutationFn: ({ file, candidate }: { file: ResultFile; candidate?: string }) =>
      withProof(() =>
        fetchFile(exportResultFile, {
          params: place,
          body: { file, ...(candidate ? { candidate } : {}) },
        }),
      ),
    onSuccess: (blob, { file }) =>
      saveAsFile(`${place.code}-${FILES[file].ending}`, blob, blob.type),
    // Taking names along may be a look ahead of the choice.
    onSettled: () => client.invalidateQueries({ queryKey: resultsKey(place), exact: true }),
  })
}

export function FileButton(props: {
  file: ResultFile
  candidate?: string
  label?: string
  isLarge?: boolean
}) {
  const { file, candidate, label = FILES[file].label, isLarge = false } = props
  const taking = useFile()
  return (
    <>
      <button
        type="button"
        className={`btn btn-ghost ${isLarge ? '' : 'btn-small'}`}
        aria-disabled={taking.isPending}
        onClick={() => {
          if (!taking.isPending) taking.mutate({ file, ...(candidate ? { candidate } : {}) })
        }}
      >
        <Download size={isLarge ? 15 : 14} aria-hidden />
        {taking.isPending ? 'Writing…' : label}
      </button>
      {taking.error && (
        <span role="alert" className="amber self-center text-[13px]">
          {sentenceOf(taking.error)}
        </span>
      )}
    </>
  )
}

/** Every file that one may take, and what is in it. */
export function FilesDialog(props: {
  /** an owner: those with names too */
  mayTakeNames: boolean
  isFixed: boolean
  count: number
  onClose: () => void
}) {
  const { mayTakeNames, isFixed, count, onClose } = props
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
      <ul className="border-ink border-t">
        {files.map((file) => (
          <li
            key={file}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-3"
          >
            <span className="min-w-56 flex-1">
              <b className="block font-[550]">{FILES[file].label}</b>
              <span className="hint text-ink-2">{FILES[file].what}</span>
            </span>
            <FileButton file={file} label="Take it" />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
