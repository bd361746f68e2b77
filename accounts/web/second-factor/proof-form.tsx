import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { HiddenUsername, PasswordField } from '../../../platform/web/ui/field.tsx'
import { TryAgain } from '../../../platform/web/ui/message.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { giveProof } from '../../contract.ts'
import { PASSWORD_MISSING } from '../password-again.ts'
import { CODE_MISSING, CodeField, type Kind } from './code-field.tsx'
import { secondFactorQuery } from './queries.ts'

/** Asks once more who is here: for a code where there is a second factor, else for the password. */
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

const REFUSALS = ['wrong_password', 'wrong_code', 'too_many_tries', 'password_required']

function Form(props: {
  hasFactor: boolean
  hasPaper: boolean
  onProven: () => void
  onFailure: (error: unknown) => void
}) {
  const user = useUser()
  const [kind, setKind] = useState<Kind>('app')
  const [refusal, setRefusal] = useState<string>()
  const [working, start] = useSingleFlight<'checking'>()
  const field = useRef<HTMLInputElement>(null)
  // It came later than the dialog, which could not focus it.
  useEffect(() => field.current?.focus(), [])

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const typed = field.current?.value ?? ''
    field.current?.focus()
    const missing = props.hasFactor ? CODE_MISSING[kind] : PASSWORD_MISSING
    setRefusal(typed.trim() ? undefined : missing)
    if (!typed.trim()) return
    void start('checking', async () => {
      try {
        const body = props.hasFactor ? { code: typed } : { password: typed }
        await call(giveProof, { body }, { onlyAs: user.id })
      } catch (error) {
        const isRefused = error instanceof ApiFailure && REFUSALS.includes(error.code)
        if (isRefused) setRefusal(error.message)
        else props.onFailure(error)
        return
      }
      props.onProven()
      return 'leaving'
    })
  }

  return (
    <form onSubmit={onSubmit} noValidate name="proof" className="flex flex-col gap-5">
      {props.hasFactor ? (
        <CodeField
          kind={kind}
          onKind={
            props.hasPaper
              ? (next) => {
                  setRefusal(undefined)
                  setKind(next)
                }
              : null
          }
          ref={field}
          error={refusal}
        />
      ) : (
        <>
          <HiddenUsername email={user.email ?? ''} />
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            required
            ref={field}
            error={refusal}
          />
        </>
      )}
      <div>
        <button type="submit" className="btn" aria-disabled={working !== null}>
          {working ? 'Checking…' : 'Continue'}
        </button>
      </div>
    </form>
  )
}
