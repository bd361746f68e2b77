import { useQueryClient } from '@tanstack/react-query'
import { useAssessment, useSociety } from '../../console/console.tsx'
import { societyKey } from '../../console/queries.ts'

/** What the society's pages know of its questions is read anew. */
export function useRefreshQuestions(): () => Promise<void> {
  const client = useQueryClient()
  const { society } = useSociety()
  useAssessment()
  return () => client.invalidateQueries({ queryKey: societyKey(society.id) })
}
