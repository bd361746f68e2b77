import { useLocation, useNavigate } from 'react-router'
import { secondFactorUrl } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { codeOf } from '../auth-words.ts'

/** The server's code of a refusal, of the API or of the authentication service. */
export const refusalOf = (error: unknown): string | undefined =>
  error instanceof ApiFailure ? error.code : codeOf(error)

/**
 * For what needs the second factor: leads to where it is asked for, and back here.
 * @returns a function that tells whether that was what the call was refused for
 */
export function useAskForFactor(): (error: unknown) => boolean {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  return (error) => {
    const code = refusalOf(error)
    if (code !== 'second_factor_required' && code !== 'insufficient_aal') return false
    navigate(secondFactorUrl(`${pathname}${search}${hash}`))
    return true
  }
}
