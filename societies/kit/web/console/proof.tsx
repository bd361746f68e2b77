import { createContext, type ReactNode, use } from 'react'
import { ApiFailure } from '../../../../platform/web/api-failure.ts'

/** How an account proves who it is; the application hands it in (accounts/web/second-factor). */
export interface Proving {
  /** leads to where a second factor is set up or shown, when a page is refused for want of it */
  useOrganiserGate: () => void
  /** asks for a proof and makes the call once more; undefined when the person gave up */
  useFreshProof: () => {
    withProof: <T>(work: () => Promise<T>) => Promise<T | undefined>
    proofDialog: ReactNode
  }
}

type WithProof = <T>(work: () => Promise<T>) => Promise<T>

const ProofContext = createContext<WithProof>((work) => work())

/** Where the pages below are asked who they are, before what matters (product 7.13.3). */
export function ProofPlace(props: Proving & { children: ReactNode }) {
  const { useOrganiserGate, useFreshProof, children } = props
  useOrganiserGate()
  const { withProof, proofDialog } = useFreshProof()
  const orThrow: WithProof = async (work) => {
    const answer = await withProof(async () => ({ value: await work() }))
    if (!answer) {
      const message = 'Nothing was changed, because you did not confirm that it is you.'
      throw new ApiFailure(0, { code: 'no_proof', message })
    }
    return answer.value
  }
  return (
    <ProofContext value={orThrow}>
      {children}
      {proofDialog}
    </ProofContext>
  )
}

/**
 * Makes a call that may need a proof of the last five minutes: asks for it where the server does, and calls once
 * more. It throws what the call throws, and a sentence when the proof was not given.
 */
export const useProof = (): WithProof => use(ProofContext)
