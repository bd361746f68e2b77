import { useMutation } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { exportAssessment } from '../../contract/exchange.ts'
import { countOf } from '../../number-words.ts'
import { exhibitsInFile } from '../../questions/exhibit-text.ts'
import { WRITTEN_FORMATS, type WrittenFormat } from '../../questions/question-files.ts'
import { useProof } from '../console/proof.tsx'
import { usePlace } from '../console/use-act.ts'
import type { ListedQuestion } from './queries.ts'

const FORMATS: Record<WrittenFormat, { name: string; what: string; type: string }> = {
  csv: { name: 'CSV', what: 'a table for Excel, which can be imported here again', type: 'csv' },
  gift: { name: 'GIFT', what: 'a text for Moodle and others', type: 'plain' },
}

/** The questions with their keys as a file, with what becomes of exhibits said before (product 7.9.38, 7.9.47). */
export function ExportDialog(props: {
  items: readonly ListedQuestion[]
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const place = usePlace()
  const withProof = useProof()
  const taking = useMutation({
    mutationFn: (format: WrittenFormat) =>
      withProof(() => call(exportAssessment, { params: place, query: { format } })),
    onSuccess: ({ fileName, content }, format) =>
      saveAsFile(fileName, content, `text/${FORMATS[format].type};charset=utf-8`),
  })
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Export the questions"
      description="The file has the keys in it. That you took it is kept in the log."
    >
      {exhibitsInFile(props.items.map(({ exhibit }) => exhibit)).map((sentence) => (
        <p key={sentence} className="mb-3">
          {sentence}
        </p>
      ))}
      <ul className="grid gap-3">
        {WRITTEN_FORMATS.map((format) => (
          <li key={format} className="flex flex-wrap items-center gap-3">
            <button
              type="button"
              className="btn btn-ghost"
              aria-disabled={taking.isPending}
              onClick={() => !taking.isPending && taking.mutate(format)}
            >
              Download as {FORMATS[format].name}
            </button>
            <span className="text-ink-2">{FORMATS[format].what}</span>
          </li>
        ))}
      </ul>
      <div role="status" className="hint mt-3">
        {taking.data && `${taking.data.fileName} has ${countOf(taking.data.count, 'question')}.`}
      </div>
      <div role="alert" className="amber">
        {taking.error?.message}
      </div>
    </Dialog>
  )
}
