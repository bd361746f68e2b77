import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { secondFactorUrl } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api-failure.ts'

/**
 * For the frame around organisers' screens: whatever one of them reads and is refused for want of a second
 * factor, or because the session is over for organisers, leads to where that is mended, and back to the
 * screen (product 7.13.5). What a screen changes goes through useFreshProof.
 */
export function useOrganiserGate(): void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  useEffect(() => {
    const leave = (again: boolean) =>
      navigate(secondFactorUrl(`${pathname}${search}${hash}`, again), { replace: true })
    return watchRefusals(queryClient, leave)
  }, [queryClient, navigate, pathname, search, hash])
}

/** @param leave `again`: the session has shown it and shall once more */
function watchRefusals(queryClient: QueryClient, leave: (again: boolean) => void): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    const { error } = event.action
    if (!(error instanceof ApiFailure)) return
    if (error.code === 'second_factor_required') leave(false)
    if (error.code === 'organiser_session_over') leave(true)
  })
}
