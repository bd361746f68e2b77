import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { fetchFile } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { exportResultFile, type ResultFile } from '../../contract/results.ts'
import { useProof } from '../console/proof.tsx'
import { sentenceOf, usePlace } from '../console/use-act.ts'
import { resultsKey } from './queries.ts'

export const FILES: Record<ResultFile, { label: string; ending: string }> = {
  csv: { label: 'CSV with usernames', ending: 'results.csv' },
  csv_without_names: { label: 'CSV without names', ending: 'results-without-names.csv' },
  workbook: { label: 'Spreadsheet with names', ending: 'results.xlsx' },
  workbook_without_names: {
    label: 'Spreadsheet without names',
    ending: 'results-without-names.xlsx',
  },
  sheet: { label: 'Result sheet', ending: 'result-sheet.pdf' },
  sheets: { label: 'All result sheets, one PDF', ending: 'result-sheets.pdf' },
  sheets_zip: { label: 'All result sheets, a PDF each', ending: 'result-sheets.zip' },
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

/** Takes one file. */
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
