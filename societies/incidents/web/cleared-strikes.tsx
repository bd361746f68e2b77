import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { Reason, useReason } from '../../acts/web/reason.tsx'
import { useSociety } from '../../kit/web/console/console.tsx'
import { ActButton, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { countStrikesAgain, takeClearedStrikesBack } from '../contract.ts'
import type { IncidentOf } from './incident-headlines.ts'

const named = ({ candidate, one }: IncidentOf) => ({ candidate: candidate.id, incident: one.name })

/**
 * Says that strikes of cleared incidents still count, and takes them back with the verdicts' reasons, without names
 * (product 7.16.14).
 * @param props.isOfOne it is shown next to the one incident
 */
export function ClearedStrikes(props: { of: readonly IncidentOf[]; isOfOne?: boolean }) {
  const { of, isOfOne = false } = props
  const place = usePlace()
  const { may } = useSociety()
  const incidents = of.map(named)
  const again = useCountAgain()
  const what = isOfOne ? `Strike ${of[0]?.one.strike?.number}` : countOf(of.length, 'strike')
  const takeBack = useAct(
    () => call(takeClearedStrikesBack, { params: place, body: { incidents } }),
    ({ takenBack, mayBeReopened }) =>
      toast.undoable(
        `Took back ${countOf(takenBack, 'strike')}`,
        () => again.run({ incidents, reason: 'undone at once' }),
        mayBeReopened > 0
          ? `${countOf(mayBeReopened, 'test')} had been ended by strikes. An owner can open ${mayBeReopened === 1 ? 'it' : 'them'} again on Live.`
          : undefined,
      ),
  )
  return (
    <div className="grid justify-items-start gap-2">
      <p className="amber text-pretty">
        {isOfOne ? what : `${what} of incidents that were cleared`} still{' '}
        {of.length === 1 ? 'stands' : 'stand'}. While a strike stands, the results say ‘cheated’.
      </p>
      {may('void_event') && (
        <ActButton act={takeBack} busy="Taking back…" className="btn btn-ghost btn-small">
          Take {what.toLowerCase()} back too
        </ActButton>
      )}
    </div>
  )
}

/** Counts strikes again. It tells the outcome in a toast, because the page may be gone by then. */
function useCountAgain() {
  const place = usePlace()
  return useAct(
    (body: { incidents: ReturnType<typeof named>[]; reason: string }) =>
      call(countStrikesAgain, { params: place, body }),
    ({ counted }) =>
      toast.success(counted === 1 ? 'The strike counts again' : `${counted} strikes count again`),
    (problem) => toast.error('The strike was not counted again', problem),
  )
}

/** The focus moves into the form that the button opened. */
const focus = (form: HTMLFormElement | null) => form?.focus()

/** Counts a strike again that was taken back, with a reason (product 7.16.14). */
export function StrikeTakenBack({ of, number }: { of: IncidentOf; number: number }) {
  const [isAsking, setIsAsking] = useState(false)
  const again = useCountAgain()
  const reason = useReason()
  const label = `Count strike ${number} again`
  if (!isAsking) {
    return (
      <button
        type="button"
        className="quiet-link w-fit max-md:min-h-11"
        onClick={() => setIsAsking(true)}
      >
        {label}
      </button>
    )
  }
  return (
    <form
      ref={focus}
      tabIndex={-1}
      className="grid gap-2.5 outline-none"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.isGiven) again.run({ incidents: [named(of)], reason: reason.reason })
      }}
    >
      <Reason of={reason} />
      <div className="flex flex-wrap gap-3">
        <button
          type="submit"
          className="btn btn-small max-md:min-h-11"
          aria-disabled={!reason.isGiven || again.isBusy}
        >
          {again.isBusy ? 'Counting…' : label}
        </button>
        <button
          type="button"
          className="btn btn-ghost btn-small max-md:min-h-11"
          onClick={() => setIsAsking(false)}
        >
          Cancel
        </button>
      </div>
    </form>
  )
}
