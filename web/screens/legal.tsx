import { useQuery } from '@tanstack/react-query'
import { contactQuery } from '../queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { type LegalSection, PRIVACY, TERMS } from './legal-texts.ts'

/** Terms and Conditions, or the Privacy Policy, over the sign-up form (specification, section 2, /auth). */
export function LegalDialog(props: { text: 'terms' | 'privacy' | null; onClose: () => void }) {
  return (
    <>
      <LegalText
        title="Terms and Conditions"
        sections={TERMS}
        open={props.text === 'terms'}
        onClose={props.onClose}
      />
      <LegalText
        title="Privacy Policy"
        sections={PRIVACY}
        open={props.text === 'privacy'}
        onClose={props.onClose}
      />
    </>
  )
}

function LegalText(props: {
  title: string
  sections: LegalSection[]
  open: boolean
  onClose: () => void
}) {
  const updated = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())
  return (
    <Dialog
      wide
      title={props.title}
      description={`Last updated: ${updated}`}
      open={props.open}
      onOpenChange={(open) => !open && props.onClose()}
    >
      <ol className="flex flex-col gap-6">
        {props.sections.map((section, index) => (
          <li key={section.heading}>
            <h3>
              {index + 1}. {section.heading}
            </h3>
            <p className="mt-1.5 text-ink-2">
              <WithAddresses text={section.text} />
            </p>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

/** A text with its {support} and {privacy} as links. */
function WithAddresses({ text }: { text: string }) {
  const contact = useQuery(contactQuery)
  return text.split(/(\{support\}|\{privacy\})/).map((part, index) => {
    if (part !== '{support}' && part !== '{privacy}') return part
    const address = part === '{support}' ? contact.data?.supportEmail : contact.data?.privacyEmail
    return (
      <Address
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text never move
        key={index}
        address={address}
        hasFailed={contact.isError}
        onRetry={contact.refetch}
      />
    )
  })
}

function Address(props: {
  address: string | undefined
  hasFailed: boolean
  onRetry: () => unknown
}) {
  if (props.address) {
    return (
      <a href={`mailto:${props.address}`} className="link">
        {props.address}
      </a>
    )
  }
  if (!props.hasFailed) return <span className="skeleton">support@example.com</span>
  return (
    <button type="button" className="link" onClick={() => props.onRetry()}>
      Show the address: try again
    </button>
  )
}
