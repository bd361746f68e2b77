import { gradeOf } from '../scoring.ts'

/** How a percentage looks: product 3.4.3, each with a word. */
const STYLES = {
  green: { text: 'grade-right', chip: 'chip-right', word: 'Strong' },
  yellow: { text: 'grade-mid', chip: 'chip-mid', word: 'Getting there' },
  red: { text: 'grade-wrong', chip: 'chip-wrong', word: 'Needs practice' },
} as const

export function scoreStyle(percentage: number): { text: string; chip: string; word: string } {
  return STYLES[gradeOf(percentage).color]
}

export function Score({ percentage }: { percentage: number }) {
  const { text, word } = scoreStyle(percentage)
  return (
    <span className={text}>
      <span className="font-medium">{percentage}%</span> {word}
    </span>
  )
}
