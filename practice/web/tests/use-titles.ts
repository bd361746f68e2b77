import { useQuery } from '@tanstack/react-query'
import { topicsQuery } from '../queries.ts'
import { titlesOf } from '../topics.ts'

/** The titles of a cell's tests, by test number less one; undefined until they are known. */
export function useTitles(category: string, difficulty: string): string[] | undefined {
  const topics = useQuery(topicsQuery(category, difficulty))
  return topics.data && titlesOf(topics.data)
}

/** The title of one test; undefined until it is known. */
export function useTitleOfTest(
  category: string,
  difficulty: string,
  testNumber: number,
): string | undefined {
  return useTitles(category, difficulty)?.[testNumber - 1]
}
