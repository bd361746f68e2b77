import type { FormEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useSociety } from '../console/console.tsx'
import { Problem, useAct } from '../kit/use-act.tsx'
import { isAboutCode } from './naming.tsx'

/** What was made: its code, and the one that was asked for. */
interface Made {
  code: string
  wanted: string
}

/** Makes an assessment; then its pages are opened, and a code that became another one is told. */
export function useMaking(make: () => Promise<Made>, page?: string, state?: unknown) {
  const { society } = useSociety()
  const navigate = useNavigate()
  return useAct(make, async ({ code, wanted }) => {
    if (code !== wanted) {
      toast.success(`Its code is ${code}`, `Another society on this server has ${wanted} already.`)
    }
    await navigate(assessmentUrl(society.id, code, page), { state })
  })
}

/** The form around what a new assessment needs. @param props.button what it says, and while it works */
export function MakingForm(props: {
  making: ReturnType<typeof useMaking>
  button: readonly [string, string]
  /** below what was refused */
  details?: ReactNode
  children: ReactNode
}) {
  const { making, button } = props
  function submit(event: FormEvent) {
    event.preventDefault()
    making.run()
  }
  return (
    <form onSubmit={submit}>
      {props.children}
      <p className="mt-3">
        <Problem text={isAboutCode(making.failure) ? null : making.problem} />
      </p>
      {props.details}
      <button type="submit" className="btn mt-4" aria-disabled={making.isBusy}>
        {making.isBusy ? button[1] : button[0]}
      </button>
    </form>
  )
}
