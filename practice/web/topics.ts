import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '../../platform/endpoint.ts'
import type { getQuestionTopics } from '../contract.ts'
import { QUESTIONS_PER_TEST } from '../test-of-ten.ts'
import { topicsQuery } from './queries.ts'

const TOPICS_IN_TITLE = 4

const SPELLED: Record<string, string> = {
  'accretion-dilution': 'accretion and dilution',
  'bid-ask-spread': 'bid-ask spread',
  'break-even': 'break-even',
  'capitalize-or-expense': 'capitalizing or expensing',
  'carve-outs': 'carve-outs',
  'ev-ebitda': 'EV/EBITDA',
  'event-driven': 'event-driven investing',
  'five-forces': 'five forces',
  'm&a': 'M&A',
  'npv-vs-irr': 'NPV and IRR',
  'price-earnings': 'price/earnings',
  'put-call-parity': 'put-call parity',
  'mid-year-convention': 'mid-year convention',
  'inflation-linked': 'inflation-linked bonds',
  'long-lived-assets': 'long-lived assets',
  'porters-forces': "Porter's five forces",
  'primary-secondary-markets': 'primary and secondary markets',
  'shareholders-equity': "shareholders' equity",
  'speed-distance': 'speed and distance',
  'spin-offs': 'spin-offs',
  'stock-based-compensation': 'stock-based compensation',
  'supply-demand': 'supply and demand',
}
const IN_CAPITALS = new Set(
  'ai capm cds dcf ebitda eps etfs fx gdp ifrs ipo irr lbo npv reit swot wacc'.split(' '),
)

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

export function topicHeading(topic: string): string {
  const name = topicName(topic)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Titles each test by its four rarest topics in the level, ties by order (product 3.2.9). Empty without topics. */
export function titlesOf(questions: ResponseOf<typeof getQuestionTopics>): string[] {
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

export function useTitles(category: string, difficulty: string): string[] | undefined {
  const topics = useQuery(topicsQuery(category, difficulty))
  return topics.data && titlesOf(topics.data)
}
