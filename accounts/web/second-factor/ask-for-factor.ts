import type { User } from '@supabase/auth-js'
import { useLocation, useNavigate } from 'react-router'
import { secondFactorUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { whileReplacing } from '../../../platform/web/replaced-session.ts'
import { authClient, storedSession, storeSession } from '../../../platform/web/session.tsx'
import { useRecoveryCode as recoveryCode } from '../../contract.ts'
import { codeOf, messageOf } from '../auth-words.ts'

export const refusalOf = (error: unknown): string | undefined =>
  error instanceof ApiFailure ? error.code : codeOf(error)

/** Navigates to the second factor's page and back. The returned function says whether the error asked for that. */
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

export const PASSWORD_MISSING = 'Please enter your password.'

const REFUSALS = ['wrong_password', 'password_required', 'wrong_code', 'too_many_tries']

/** The server's message if it rejected the repeated password or code, else undefined. */
export function proofRefusal(error: unknown): string | undefined {
  return error instanceof ApiFailure && REFUSALS.includes(error.code) ? error.message : undefined
}

const hasFactor = (user: User | undefined) =>
  user?.factors?.some(({ status }) => status === 'verified') ?? false

/** Where a sign-in leads: to the place itself, or first to the code if there is a second factor. */
export const placeAfterSignIn = (place: string): string =>
  hasFactor(storedSession()?.user) ? secondFactorUrl(place) : place

/** The message when the connection was lost before the response. The code may have been accepted. */
const UNANSWERED =
  'We got no response. Check your connection and try again with the next code. Sign in if you’re asked to.'

/** Why a code was rejected, as a message, or how many recovery codes are left. */
export type Shown = { refusal: string } | { refusal: null; codesLeft: number | null }

/** Submits an app code. All tabs then use its session with both factors. `factorId`: for a new app. */
export function showAppCode(code: string, factorId?: string): Promise<Shown> {
  return whileReplacing(async () => {
    try {
      const auth = await authClient()
      const id = factorId ?? (await auth.mfa.listFactors()).data?.totp[0]?.id
      if (!id) return { refusal: 'This second factor no longer exists. Please reload the page.' }
      const { error } = await auth.mfa.challengeAndVerify({ factorId: id, code })
      if (!error) return { refusal: null, codesLeft: null }
      return { refusal: codeOf(error) === undefined ? UNANSWERED : messageOf(error) }
    } catch {
      return { refusal: UNANSWERED }
    }
  })
}

export function showRecoveryCode(user: User, code: string): Promise<Shown> {
  return whileReplacing(async () => {
    try {
      const answer = await call(recoveryCode, { body: { code } }, { onlyAs: user.id })
      storeSession(answer.session, user)
      return { refusal: null, codesLeft: answer.codesLeft }
    } catch (error) {
      const isAnswered = error instanceof ApiFailure && error.status !== 0
      return { refusal: isAnswered ? error.message : UNANSWERED }
    }
  })
}
