import { type ReactNode, useState } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { refusalOf, useAskForFactor } from './ask-for-factor.ts'
import { ProofForm } from './proof-form.tsx'

const FRESH = ['fresh_proof_required', 'organiser_session_over']

/** Why a dialog stands open: how it goes on when the proof was given, and when it was not. */
interface Asked {
  proven: () => void
  givenUp: () => void
}

/**
 * For what needs a proof of the last five minutes (product 7.13.3): asks for it when the server does, and
 * makes the call once more.
 *
 *     const { withProof, proofDialog } = useFreshProof()
 *     const end = useMutation({ mutationFn: () => withProof(() => call(endMember, …)) })
 *     return <>… {proofDialog}</>
 *
 * @returns withProof: what the work answers, or undefined when the person closed the dialog or was led to
 *   where the second factor is asked for; it throws what the work throws besides
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
      title="Is it you?"
      description="This is asked once more before anything that matters. It then holds for five minutes."
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
