import { Download } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { countOf } from '../../../platform/words.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { Problem, useAct, usePlace } from '../../kit/web/use-act.tsx'
import type { ListedQuestion } from '../contract.ts'
import { exportAssessment } from '../contract-exchange.ts'
import { exhibitsInFile } from '../exhibit-text.ts'
import { WRITTEN_FORMATS, type WrittenFormat } from '../question-files.ts'

const FORMATS: Record<WrittenFormat, { name: string; what: string; type: string }> = {
  csv: { name: 'CSV', what: 'for Excel; can be imported here again', type: 'csv' },
  gift: { name: 'GIFT', what: 'for Moodle and others', type: 'plain' },
}

/** Downloads the questions with their keys as a file, for members who read keys (product 7.9.38, 7.9.47). */
export function ExportMenu({ items }: { items: readonly ListedQuestion[] }) {
  const { may } = useSociety()
  const place = usePlace()
  const [isOpen, setIsOpen] = useState(false)
  const take = useAct(
    (format: WrittenFormat) => call(exportAssessment, { params: place, query: { format } }),
    ({ fileName, content }, format) =>
      saveAsFile(fileName, content, `text/${FORMATS[format].type};charset=utf-8`),
  )
  if (!may('read_keys')) return null
  return (
    <>
      <button type="button" className="btn btn-ghost" onClick={() => setIsOpen(true)}>
        <Download size={16} aria-hidden />
        Export
      </button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Export the questions"
        description="The file contains the keys. The download is saved in the log."
      >
        {exhibitsInFile(items.map(({ exhibit }) => exhibit)).map((sentence) => (
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
                aria-disabled={take.isBusy}
                onClick={() => take.run(format)}
              >
                Download as {FORMATS[format].name}
              </button>
              <span className="text-ink-2">{FORMATS[format].what}</span>
            </li>
          ))}
        </ul>
        <div role="status" className="hint mt-3">
          {take.done && `${take.done.fileName} has ${countOf(take.done.count, 'question')}.`}
        </div>
        <Problem text={take.problem} />
      </Dialog>
    </>
  )
}
