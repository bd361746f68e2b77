import { ColumnWords } from '../console/column-words.tsx'

const WORDS = [
  ['Time', 'The duration, and the extra time that was planned for this person.'],
  ['Exempt from', 'What is written down and never counted for this person.'],
  [
    'Password by mail',
    'Waiting: it has not left. Sent: the mail server took it; whether it arrived, nobody can know. Refused: the mail server did not take it. Unsure: the server stopped while it was handed over. On paper: a slip was printed since.',
  ],
  [
    'Own computer',
    'Whether the candidate has tried the computer before the day, and what is wrong with it.',
  ],
] as const

/** What the columns of the list mean. */
export function CandidateColumnWords({ onClose }: { onClose: () => void }) {
  return (
    <ColumnWords
      words={WORDS}
      keys="/ searches, the arrows move, Enter opens, x ticks, Esc closes."
      onClose={onClose}
    />
  )
}
