import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { secondFactorUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { longDate } from '../../../platform/web/dates.ts'
import { authClient } from '../../../platform/web/session.tsx'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { dialogOnDemand } from '../../../platform/web/ui/on-demand.ts'
import { HubRow, HubSection, useLinkedPart } from '../../../platform/web/ui/section.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { makeRecoveryCodes } from '../../contract.ts'
import { placeInside } from '../../place-inside.ts'
import { messageOf } from '../auth-words.ts'
import { secondFactorQuery } from '../queries.ts'
import { useFreshProof } from './fresh-proof.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { NewApp } from './set-up-dialog.tsx'

const SECTION = 'second-factor'

// Few users set one up, so it is loaded at the first touch or key, like dialogs.
const SetUpDialog = dialogOnDemand(async () => (await import('./set-up-dialog.tsx')).SetUpDialog)

/** The account's second factor in the Personal Hub: setup, recovery codes, removal (product 2.10). */
export function SecondFactor() {
  const factor = useQuery(secondFactorQuery)
  const [params] = useSearchParams()
  // The page that asks for a second factor links here.
  useLinkedPart(factor.isSuccess ? [SECTION] : [])
  const next = placeInside(params.get('next'), location.origin)
  // This state is kept up here because the rows below change once the app is verified, before the codes are saved.
  const [app, setApp] = useState<NewApp | null>(null)

  return (
    <HubSection title="Second factor" id={SECTION}>
      {factor.isPending && <Skeleton className="my-4 h-14" />}
      {factor.isError && <p className="hint py-4">This could not be loaded.</p>}
      {factor.data &&
        (factor.data.since === null ? (
          <SetUp onBegun={setApp} />
        ) : (
          <>
            <App since={factor.data.since} />
            <Codes left={factor.data.codesLeft} isShown={factor.data.isShown} />
            {next && (
              <p className="py-4">
                <Link to={next} className="link inline-flex min-h-11 items-center">
                  Continue where you left off
                </Link>
              </p>
            )}
          </>
        ))}
      {app && <SetUpDialog app={app} onClose={() => setApp(null)} />}
    </HubSection>
  )
}

type WithProof = ReturnType<typeof useFreshProof>['withProof']

/** A row with a button that may ask for re-authentication. `act` shows its own success. */
function ProvenRow(props: {
  name: string
  hint: string
  button: string
  busy?: string
  act: (withProof: WithProof) => Promise<void>
  onFailure: (error: unknown) => void
  children?: ReactNode
}) {
  const { withProof, proofDialog } = useFreshProof()
  const [working, start] = useSingleFlight<'acting'>()
  return (
    <HubRow name={props.name} hint={props.hint}>
      <button
        type="button"
        className="btn btn-ghost"
        aria-disabled={working !== null}
        onClick={() => start('acting', () => props.act(withProof).catch(props.onFailure))}
      >
        {(working && props.busy) || props.button}
      </button>
      {proofDialog}
      {props.children}
    </HubRow>
  )
}

function SetUp({ onBegun }: { onBegun: (app: NewApp) => void }) {
  return (
    <ProvenRow
      name="Authenticator app"
      hint="Codes from your phone, in addition to your password. You need one to organize tests and before you change your password, your email or your data. Practice works without them."
      button="Set up"
      act={async (withProof) => {
        const begun = await withProof(enroll)
        if (begun) onBegun(begun)
      }}
      onFailure={(error) => toast.error('The app could not be set up', messageOf(error))}
    />
  )
}

async function enroll(): Promise<NewApp> {
  const { data, error } = await (await authClient()).mfa.enroll({ factorType: 'totp' })
  if (error) throw error
  return { id: data.id, secret: data.totp.secret, uri: data.totp.uri, picture: data.totp.qr_code }
}

function App({ since }: { since: string }) {
  const queryClient = useQueryClient()

  async function remove(withProof: WithProof): Promise<void> {
    const removed = await withProof(async () => {
      const auth = await authClient()
      const factorId = (await auth.mfa.listFactors()).data?.totp[0]?.id
      if (!factorId) return true
      const { error } = await auth.mfa.unenroll({ factorId })
      if (error) throw error
      return true
    })
    if (!removed) return
    // The tokens no longer say that there is one.
    await (await authClient()).refreshSession()
    await queryClient.invalidateQueries(secondFactorQuery)
    toast.success('The app is removed', 'You now sign in with only your password.')
  }

  return (
    <ProvenRow
      name="Authenticator app"
      hint={`Set up on ${longDate(since)}. To use another phone, remove the app here and set it up again.`}
      button="Remove"
      busy="Removing…"
      act={remove}
      onFailure={(error) => toast.error('The app was not removed', messageOf(error))}
    />
  )
}

function Codes({ left, isShown }: { left: number; isShown: boolean }) {
  const queryClient = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)

  async function make(withProof: WithProof): Promise<void> {
    const made = await withProof(() => call(makeRecoveryCodes, {}))
    if (!made) return
    setCodes(made.codes)
    await queryClient.invalidateQueries(secondFactorQuery)
  }

  const few = left <= 3 ? ' Please create new ones soon.' : ''
  return (
    <>
      <ProvenRow
        name="Recovery codes"
        hint={`For when you don’t have your phone: ${left} of 10 left.${few} New codes replace the old ones.`}
        button="Create new codes"
        busy="Creating…"
        act={make}
        onFailure={() => toast.error('No codes were created', 'Please try again.')}
      >
        <Dialog
          open={codes !== null}
          onOpenChange={(isOpen) => {
            if (!isOpen) setCodes(null)
          }}
          title="Your recovery codes"
        >
          {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
        </Dialog>
      </ProvenRow>
      {!isShown && (
        <p className="hint py-4">
          You haven’t entered the code in this session yet.{' '}
          <Link to={secondFactorUrl(`/personal-hub#${SECTION}`)} className="link">
            Enter it
          </Link>
        </p>
      )}
    </>
  )
}
