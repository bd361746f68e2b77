import { createContext, type ReactNode, use } from 'react'
import { useFreshProof } from '../../../accounts/web/second-factor/fresh-proof.tsx'

type WithProof = <T>(work: () => Promise<T>) => Promise<T>

const ProofContext = createContext<WithProof>((work) => work())

/** Where the pages below are asked who they are, before what matters (product 7.13.3). */
export function ProofPlace({ children }: { children: ReactNode }) {
  const { withProof, proofDialog } = useFreshProof()
  const orThrow: WithProof = async (work) => {
    const answer = await withProof(async () => ({ value: await work() }))
    if (!answer) throw new Error('Nothing was changed: it was not shown that it is you.')
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
