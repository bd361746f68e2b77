import { QUESTIONS_PER_TEST } from '../test-of-ten.ts'

/** A question's id and what it is about; null where that is not known. */
export interface QuestionTopic {
  id: number
  topic: string | null
}

/** How many topics a test's title names at most. */
const TOPICS_IN_TITLE = 4

/** What is not written as its words are. */
const SPELLED: Record<string, string> = {
  'accretion-dilution': 'accretion and dilution',
  'capitalize-or-expense': 'capitalizing or expensing',
  'ev-ebitda': 'EV/EBITDA',
  'five-forces': 'five forces',
  'm&a': 'M&A',
  'npv-vs-irr': 'NPV and IRR',
  'price-earnings': 'price/earnings',
  'put-call-parity': 'put-call parity',
  'mid-year-convention': 'mid-year convention',
  'inflation-linked': 'inflation-linked bonds',
  'porters-forces': "Porter's five forces",
  'spin-offs': 'spin-offs',
  'supply-demand': 'supply and demand',
}
const IN_CAPITALS = new Set(
  'capm cds dcf ebitda eps etfs fx gdp ipo irr lbo npv reit swot wacc'.split(' '),
)

/** A topic as it stands in a sentence: 'free-cash-flow' → 'free cash flow', 'diluted-eps' → 'diluted EPS'. */
export function topicName(topic: string): string {
  return (
    SPELLED[topic] ??
    topic
      .split('-')
      .map((word) => (IN_CAPITALS.has(word) ? word.toUpperCase() : word))
      .join(' ')
      .replace(/^dupont$/, 'DuPont')
      .replace('ETFS', 'ETFs')
  )
}

/** The same at the beginning of a line: 'Free cash flow'. */
export function topicHeading(topic: string): string {
  const name = topicName(topic)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * The titles of a level's tests: their topics, the rarest in the level first, four at most; of topics that are
 * equally rare the one that comes first in the test (product 3.2.9).
 * @param questions of the level in id order
 * @returns a title a test; empty where no topic is known
 */
export function titlesOf(questions: readonly QuestionTopic[]): string[] {
  const inLevel = new Map<string, number>()
  for (const { topic } of questions) {
    if (topic !== null) inLevel.set(topic, (inLevel.get(topic) ?? 0) + 1)
  }
  const titles: string[] = []
  for (let start = 0; start < questions.length; start += QUESTIONS_PER_TEST) {
    const topics = new Set(
      questions.slice(start, start + QUESTIONS_PER_TEST).flatMap(({ topic }) => topic ?? []),
    )
    const [first, ...others] = [...topics]
      .sort((a, b) => (inLevel.get(a) ?? 0) - (inLevel.get(b) ?? 0))
      .slice(0, TOPICS_IN_TITLE)
    titles.push(first ? [topicHeading(first), ...others.map(topicName)].join(', ') : '')
  }
  return titles
}
