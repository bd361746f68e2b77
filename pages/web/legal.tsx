import { createPart, usePart } from '../../platform/web/ui/on-demand.ts'
import type { LegalDialogProps } from './legal-dialog.tsx'

// Few people open these ten thousand words, so they load at the first touch or key, like the dialog.
const dialogPart = createPart(async () => (await import('./legal-dialog.tsx')).LegalDialogPart)

/** Terms and Conditions, or the Privacy Policy, over the sign-up form or any page (product 8.7.1, 8.7.5). */
export function LegalDialog({
  text,
  onClose,
}: {
  text: 'terms' | 'privacy' | null
  onClose: () => void
}) {
  return (
    <>
      <OneText text="terms" open={text === 'terms'} onOpenChange={(open) => !open && onClose()} />
      <OneText
        text="privacy"
        open={text === 'privacy'}
        onOpenChange={(open) => !open && onClose()}
      />
    </>
  )
}

function OneText(props: LegalDialogProps) {
  const LegalDialogPart = usePart(dialogPart, props)
  return LegalDialogPart ? <LegalDialogPart {...props} /> : null
}
