import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { secondFactorUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { Field, HiddenUsername, PasswordField } from '../../../platform/web/ui/field.tsx'
import { TryAgain } from '../../../platform/web/ui/message.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { giveProof } from '../../contract.ts'
import { secondFactorQuery } from '../queries.ts'
import { PASSWORD_MISSING, proofRefusal, refusalOf, useAskForFactor } from './ask-for-factor.ts'

const FRESH = ['fresh_proof_required', 'organiser_session_over']

/** The callbacks of an open dialog: the proof was given, or not. */
interface Asked {
  proven: () => void
  givenUp: () => void
}

/**
 * Asks for re-authentication when the server does (product 7.13.3), and repeats the call:
 *     const { withProof, proofDialog } = useFreshProof()
 *     const end = useMutation({ mutationFn: () => withProof(() => call(endMember, …)) })
 *     return <>… {proofDialog}</>
 * withProof returns the call's result, or undefined if the user closed the dialog or left for the second factor.
 */
export function useFreshProof(): {
  withProof: <T>(work: () => Promise<T>) => Promise<T | undefined>
  proofDialog: ReactNode
} {
  const askForFactor = useAskForFactor()
  const [asked, setAsked] = useState<Asked | null>(null)

  const askForProof = () =>
    new Promise<boolean>((resolve) => {
      setAsked({
        proven: () => resolve(true),
        givenUp: () => resolve(false),
      })
    }).finally(() => setAsked(null))

  async function withProof<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (askForFactor(error)) return undefined
      if (!FRESH.includes(refusalOf(error) ?? '')) throw error
    }
    return (await askForProof()) ? work() : undefined
  }

  const proofDialog = (
    <Dialog
      open={asked !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) asked?.givenUp()
      }}
      title="Confirm your identity"
      description="Required before important changes. You won’t be asked again for five minutes."
    >
      <ProofForm
        onProven={() => asked?.proven()}
        onFailure={(error) => {
          if (askForFactor(error)) asked?.givenUp()
          else toast.error('That could not be checked', 'Please try again.')
        }}
      />
    </Dialog>
  )
  return { withProof, proofDialog }
}

/** Asks for re-authentication: a code if there is a second factor, else the password. */
export function ProofForm(props: { onProven: () => void; onFailure: (error: unknown) => void }) {
  const factor = useQuery(secondFactorQuery)
  if (factor.isPending) return <Skeleton className="h-32" />
  if (factor.isError) {
    return (
      <div role="alert" className="flex flex-col gap-4">
        <p>This could not be loaded.</p>
        <div>
          <TryAgain onClick={() => factor.refetch()} isBusy={factor.isFetching} />
        </div>
      </div>
    )
  }
  const { since, codesLeft } = factor.data
  return <Form {...props} hasFactor={since !== null} hasPaper={codesLeft > 0} />
}

function Form(props: {
  hasFactor: boolean
  hasPaper: boolean
  onProven: () => void
  onFailure: (error: unknown) => void
}) {
  const user = useUser()
  const [kind, setKind] = useState<Kind>('app')
  const missing = props.hasFactor ? CODE_MISSING[kind] : PASSWORD_MISSING
  const { field, isChecking, onSubmit, refuse } = useOneField(missing, async (typed) => {
    try {
      const body = props.hasFactor ? { code: typed } : { password: typed }
      await call(giveProof, { body }, { onlyAs: user.id })
    } catch (error) {
      const message = proofRefusal(error)
      if (message) refuse(message)
      else props.onFailure(error)
      return
    }
    props.onProven()
    return 'leaving'
  })
  // It was loaded after the dialog, which couldn't focus it.
  useEffect(() => field.ref.current?.focus(), [field.ref])

  return (
    <form onSubmit={onSubmit} noValidate name="proof" className="flex flex-col gap-5">
      {props.hasFactor ? (
        <CodeField
          kind={kind}
          onKind={props.hasPaper ? setKind : null}
          refuse={refuse}
          {...field}
        />
      ) : (
        <>
          <HiddenUsername email={user.email ?? ''} />
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            required
            {...field}
          />
        </>
      )}
      <div>
        <button type="submit" className="btn" aria-disabled={isChecking}>
          {isChecking ? 'Checking…' : 'Continue'}
        </button>
      </div>
    </form>
  )
}

/** A form with one field, which keeps the focus. `check` may return 'leaving', see useSingleFlight. */
export function useOneField(missing: string, check: (typed: string) => Promise<unknown>) {
  const ref = useRef<HTMLInputElement>(null)
  const [error, refuse] = useState<string>()
  const [working, start] = useSingleFlight<'checking'>()
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const typed = ref.current?.value ?? ''
    ref.current?.focus()
    refuse(typed.trim() ? undefined : missing)
    if (typed.trim()) void start('checking', () => check(typed))
  }
  return { field: { ref, error }, isChecking: working !== null, onSubmit, refuse }
}

/** What is typed: an app's digits, or a recovery code. */
export type Kind = 'app' | 'paper'

export const CODE_MISSING: Record<Kind, string> = {
  app: 'Please enter the six digits in your app.',
  paper: 'Please enter one of your recovery codes.',
}

/** The field for an app code or a recovery code, with a button that switches between them. */
export function CodeField(props: {
  kind: Kind
  /** null: there are no recovery codes */
  onKind: ((kind: Kind) => void) | null
  /** clears the error, which is about the other kind */
  refuse: (error: undefined) => void
  error: string | undefined
  ref: Ref<HTMLInputElement>
}) {
  const { kind, onKind } = props
  // Focused after switching, but not when the page opens, because the page decides that.
  const [isSwitched, setSwitched] = useState(false)
  return (
    <div>
      <Field
        key={kind}
        label={kind === 'app' ? 'Code from your app' : 'Recovery code'}
        type="text"
        name="code"
        inputMode={kind === 'app' ? 'numeric' : 'text'}
        autoComplete={kind === 'app' ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={kind === 'app' ? 12 : 40}
        required
        autoFocus={isSwitched}
        ref={props.ref}
        error={props.error}
      />
      {onKind && (
        <button
          type="button"
          className="link mt-2 min-h-11 text-[15px]"
          onClick={() => {
            setSwitched(true)
            props.refuse(undefined)
            onKind(kind === 'app' ? 'paper' : 'app')
          }}
        >
          {kind === 'app' ? 'Use a recovery code instead' : 'Use the app instead'}
        </button>
      )}
    </div>
  )
}

/** Used by organizer screens: if a read needs a proof, this leads to the page for it and back (product 7.13.5). */
export function useOrganizerGate(): void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  useEffect(() => {
    const leave = (again: boolean) =>
      navigate(secondFactorUrl(`${pathname}${search}${hash}`, again), { replace: true })
    return watchRefusals(queryClient, leave)
  }, [queryClient, navigate, pathname, search, hash])
}

/** @param leave `again` is true if the session has used the second factor before and must use it again */
function watchRefusals(queryClient: QueryClient, leave: (again: boolean) => void): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    const { error } = event.action
    if (!(error instanceof ApiFailure)) return
    if (error.code === 'second_factor_required') leave(false)
    if (error.code === 'organiser_session_over') leave(true)
  })
}
