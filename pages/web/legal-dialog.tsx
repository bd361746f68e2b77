import { page as privacy } from '../../content/pages/privacy.yaml'
import { page as terms } from '../../content/pages/terms.yaml'
import { longDate } from '../../platform/web/dates.ts'
import { DialogPart } from '../../platform/web/ui/dialog-parts.tsx'
import { ContactAddress } from './contact-address.tsx'

const TEXTS = {
  terms: { title: 'Terms and Conditions', sections: terms.sections },
  privacy: { title: 'Privacy Policy', sections: privacy.sections },
}

/** Shows today's date as last updated (product 8.7.1). LegalDialog of legal.tsx loads it. */
export function LegalDialogPart({ text, open, onOpenChange }: LegalDialogProps) {
  const { title, sections } = TEXTS[text]
  const today = longDate(new Date().toISOString())
  return (
    <DialogPart
      wide
      title={title}
      description={`Last updated: ${today}`}
      open={open}
      onOpenChange={onOpenChange}
    >
      <ol className="running flex flex-col gap-7">
        {sections.map((section, index) => (
          <li key={section.heading}>
            <h3>
              {index + 1}. {section.heading}
            </h3>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-2 text-ink-2">
                <WithAddresses text={paragraph} />
              </p>
            ))}
          </li>
        ))}
      </ol>
    </DialogPart>
  )
}

function WithAddresses({ text }: { text: string }) {
  return text.split(/\{(support|privacy)Email\}/).map((part, index) =>
    // Every second part was in the braces.
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text never move
      <ContactAddress key={index} kind={part as 'support' | 'privacy'} />
    ) : (
      part
    ),
  )
}
export interface LegalDialogProps {
  text: 'terms' | 'privacy'
  open: boolean
  onOpenChange: (open: boolean) => void
}
