import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { countStrikesAgain, takeClearedStrikesBack } from '../../contract/incidents.ts'
import { Reason, useReason } from '../acts/reason.tsx'
import { useSociety } from '../console/console.tsx'
import { ActButton, useAct, usePlace } from '../kit/use-act.tsx'

interface Cleared {
  candidate: string
  incident: string
  /** of the strike, among the candidate's */
  number: number | null
}

/**
 * What was cleared and still counts, and the act that ends it: with the verdict's reason, and without the name
 * (product 7.16.14).
 * @param props.isOfOne it stands beside the one incident
 */
export function ClearedStrikes({
  of,
  isOfOne = false,
}: {
  of: readonly Cleared[]
  isOfOne?: boolean
}) {
  const place = usePlace()
  const { may } = useSociety()
  const incidents = of.map(({ candidate, incident }) => ({ candidate, incident }))
  const again = useCountAgain()
  const only = of.length === 1
  const what = isOfOne ? `Strike ${of[0]?.number}` : countOf(of.length, 'strike')
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
        {only ? 'stands' : 'stand'}, and as long as one does the results say ‘cheated’.
      </p>
      {may('void_event') && (
        <ActButton act={takeBack} busy="Taking back…" className="btn btn-ghost btn-small">
          Take {what.toLowerCase()} back too
        </ActButton>
      )}
    </div>
  )
}

/** What was taken back counts again; from a toast too, when its page is gone. */
function useCountAgain() {
  const place = usePlace()
  return useAct(
    (body: { incidents: Omit<Cleared, 'number'>[]; reason: string }) =>
      call(countStrikesAgain, { params: place, body }),
    ({ counted }) =>
      toast.success(counted === 1 ? 'The strike counts again' : `${counted} strikes count again`),
    (problem) => toast.error('It does not count again', problem),
  )
}

/** Who pressed a key goes on in what it opened. */
const focus = (form: HTMLFormElement | null) => form?.focus()

/** How a strike counts again that was taken back, with a reason (product 7.16.14). */
export function StrikeTakenBack({ of }: { of: Cleared }) {
  const [isAsking, setIsAsking] = useState(false)
  const again = useCountAgain()
  const reason = useReason()
  const { number, ...incident } = of
  if (!isAsking) {
    return (
      <button
        type="button"
        className="quiet-link w-fit max-md:min-h-11"
        onClick={() => setIsAsking(true)}
      >
        Count strike {number} again
      </button>
    )
  }
  return (
    <form
      ref={focus}
      tabIndex={-1}
      className="grid gap-2.5 outline-none"
      aria-label={`Count strike ${number} again`}
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.isGiven) again.run({ incidents: [incident], reason: reason.reason })
      }}
    >
      <Reason of={reason} />
      <div className="flex flex-wrap gap-3">
        <button
          type="submit"
          className="btn btn-small max-md:min-h-11"
          aria-disabled={!reason.isGiven || again.isBusy}
        >
          {again.isBusy ? 'Counting…' : `Count strike ${number} again`}
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
