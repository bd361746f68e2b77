import { openedOnDemand } from '../../platform/web/ui/on-demand.ts'

// Few people open these ten thousand words, so they load at the first touch or key, like the dialog.
const OneText = openedOnDemand(async () => (await import('./legal-dialog.tsx')).LegalDialogPart)

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
