import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { takeClearedStrikesBack } from '../../contract/incidents.ts'
import { countOf } from '../../number-words.ts'
import { useSociety } from '../console/console.tsx'
import { useAct, usePlace } from '../console/use-act.ts'

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
  const only = of.length === 1
  const what = isOfOne ? `Strike ${of[0]?.number}` : countOf(of.length, 'strike')
  const takeBack = useAct(
    () =>
      call(takeClearedStrikesBack, {
        params: place,
        body: { incidents: of.map(({ candidate, incident }) => ({ candidate, incident })) },
      }),
    ({ takenBack, mayBeReopened }) =>
      toast.success(
        `Took back ${countOf(takenBack, 'strike')}`,
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
        <button
          type="button"
          className="btn btn-ghost btn-small"
          aria-disabled={takeBack.isBusy}
          onClick={() => takeBack.run(undefined)}
        >
          {takeBack.isBusy ? 'Taking back…' : `Take ${what.toLowerCase()} back too`}
        </button>
      )}
      {takeBack.problem && <p role="alert">{takeBack.problem}</p>}
    </div>
  )
}
