import { ColumnWords } from '../console/column-words.tsx'

const WORDS = [
  [
    'State',
    'Not here: has not given the credentials. Signed in: has, and waits. Inside: has started. Done, or closed by the third strike or the clock, with the time.',
  ],
  ['Answered', 'One tick is one question; which answers were chosen is not shown here.'],
  ['Last save', 'How long ago an answer reached the server. Amber after three minutes.'],
  [
    'Clock left, Ends',
    "What the candidate's own clock shows, and when it ends, with extra time and minutes given.",
  ],
  [
    'Strikes',
    'A square for each that counts; struck through: taken back. The third closes the test.',
  ],
  [
    'Marks',
    'In amber what nobody has seen yet; then who has seen it, planned extra time and minutes given.',
  ],
] as const

/** What the columns of Live mean. */
export function LiveColumnWords({ onClose }: { onClose: () => void }) {
  return (
    <ColumnWords
      words={WORDS}
      keys="/ searches, the arrows move, Enter opens, x or the space bar ticks, Esc unticks."
      onClose={onClose}
    />
  )
}
