import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { exportAssessment } from '../../contract/export.ts'
import { exhibitsInFile } from '../../questions/exhibit-text.ts'
import { WRITTEN_FORMATS, type WrittenFormat } from '../../questions/question-files.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import type { ListedQuestion } from './queries.ts'

const FORMATS: Record<WrittenFormat, { name: string; what: string }> = {
  csv: { name: 'CSV', what: 'a table for Excel, which can be imported here again' },
  gift: { name: 'GIFT', what: 'a text for Moodle and others' },
}

/** The questions with their keys as a file, with what becomes of exhibits said before (product 7.9.38, 7.9.47). */
export function ExportDialog(props: {
  items: readonly ListedQuestion[]
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { items, open, onOpenChange } = props
  const { society } = useSociety()
  const { code } = useAssessment()
  const withProof = useProof()
  const [format, setFormat] = useState<WrittenFormat>('csv')
  const taking = useMutation({
    mutationFn: () =>
      withProof(() =>
        call(exportAssessment, { params: { society: society.id, code }, query: { format } }),
      ),
    onSuccess: ({ fileName, content }) =>
      saveAsFile(fileName, content, `text/${format === 'csv' ? 'csv' : 'plain'};charset=utf-8`),
  })
  const exhibits = exhibitsInFile(items.map(({ exhibit }) => exhibit))
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Export the questions"
      description="The file has the keys in it. That you took it stands in the log."
    >
      <fieldset className="grid gap-1">
        <legend className="sr-only">Format</legend>
        {WRITTEN_FORMATS.map((one) => (
          <label key={one} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="export-format"
              checked={format === one}
              onChange={() => {
                setFormat(one)
                taking.reset()
              }}
            />
            <span>
              <b className="font-medium">{FORMATS[one].name}</b>{' '}
              <span className="text-ink-2">{FORMATS[one].what}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {exhibits.map((sentence) => (
        <p key={sentence} className="mt-3">
          {sentence}
        </p>
      ))}
      <div role="status" className="hint mt-3">
        {taking.data &&
          `${taking.data.fileName} has ${taking.data.count} ${taking.data.count === 1 ? 'question' : 'questions'}.`}
      </div>
      <div role="alert" className="amber">
        {taking.error?.message}
      </div>
      <button
        type="button"
        className="btn mt-4"
        aria-disabled={taking.isPending}
        onClick={() => !taking.isPending && taking.mutate()}
      >
        {taking.isPending ? 'Writing…' : `Download as ${FORMATS[format].name}`}
      </button>
    </Dialog>
  )
}
