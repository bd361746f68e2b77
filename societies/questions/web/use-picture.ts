import { useQuery } from '@tanstack/react-query'
import { fetchFile } from '../../../platform/web/api.ts'
import { dataUrl } from '../../../platform/web/save-file.ts'
import type { ShownPicture } from '../../../platform/web/ui/exhibit.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { getPicture } from '../contract.ts'
import type { Draft } from '../question-content.ts'

/** The picture of a question's exhibit, if it has one. */
export function usePicture({ exhibit }: Pick<Draft, 'exhibit'>): ShownPicture | undefined {
  const place = usePlace()
  const picture = exhibit?.kind === 'picture' ? exhibit.picture : null
  const found = useQuery({
    queryKey: ['exhibit-picture', picture],
    queryFn: async ({ signal }) => {
      const params = { ...place, picture: picture ?? '' }
      return dataUrl(await fetchFile(getPicture, { params }, { signal }))
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: picture !== null,
  })
  if (picture === null) return undefined
  if (found.data) return { state: 'ready', url: found.data }
  return found.isError
    ? { state: 'failed', onTryAgain: () => void found.refetch() }
    : { state: 'loading' }
}
