import { Dialog } from '../../../platform/web/ui/dialog.tsx'

const WORDS = [
  ['Time', 'The duration, and the extra time that was planned for this person.'],
  ['Exempt from', 'What is written down and never counted for this person.'],
  [
    'Password by mail',
    'Waiting: it has not left. Sent: the mail server took it; whether it arrived, nobody can know. Refused: the mail server did not take it. Unsure: the server stopped while it was handed over. On paper: a slip was printed since.',
  ],
  ['Own computer', 'Whether the candidate has tried the computer before the day.'],
] as const

/** What the columns of the list mean. */
export function ColumnWords({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="What the columns mean" closeButton="text">
      <dl className="grid gap-3">
        {WORDS.map(([column, meaning]) => (
          <div key={column}>
            <dt className="font-medium">{column}</dt>
            <dd className="text-ink-2">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="hint mt-4 text-ink-2">
        Keys: / searches, the arrows move, Enter opens, x ticks, Esc closes.
      </p>
    </Dialog>
  )
}
