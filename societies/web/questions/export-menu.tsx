import { Download } from 'lucide-react'
import { useState } from 'react'
import { createPart, usePart } from '../../../platform/web/ui/on-demand.ts'
import { useSociety } from '../console/console.tsx'
import type { ListedQuestion } from './queries.ts'

const dialogPart = createPart(async () => (await import('./export-dialog.tsx')).ExportDialog)

/** A button that offers the questions with their keys as a file; nothing for who reads no keys (product 7.9.38). */
export function ExportMenu({ items }: { items: readonly ListedQuestion[] }) {
  const { may } = useSociety()
  const [isOpen, setIsOpen] = useState(false)
  const ExportDialog = usePart(dialogPart, { open: isOpen, onOpenChange: setIsOpen })
  if (!may('read_keys')) return null
  return (
    <>
      <button type="button" className="btn btn-ghost" onClick={() => setIsOpen(true)}>
        <Download size={16} aria-hidden />
        Export
      </button>
      {ExportDialog && <ExportDialog items={items} open={isOpen} onOpenChange={setIsOpen} />}
    </>
  )
}
