import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { endpointKey, useEndpoint } from '../../../platform/web/use-endpoint.ts'
import {
  type CandidateFacts,
  getCandidate,
  listCandidates,
  listMails,
} from '../../contract/candidates.ts'
import { type Place, usePlace } from '../kit/use-act.tsx'

type List = ResponseOf<typeof listCandidates>

const keyOf = (place: Place) => endpointKey(listCandidates, { params: place })

/** One candidate's given time and the history of the password: another state of the newest mail is another history. */
export function useHistory({ id, mail }: CandidateFacts) {
  const params = { ...usePlace(), candidate: id }
  return useEndpoint(getCandidate, { params }, { also: [mail?.state, mail?.at] })
}

/** Milliseconds between two looks at the mails, while some wait and otherwise. */
const LOOK_MS = { sending: 2_000, idle: 10_000 }
/** What was being stored when the last look began comes with the next one. */
const OVERLAP_MS = 5_000

/**
 * Follows the mails: what has changed goes into the list, which keeps its rows where they are.
 * @returns how many wait
 */
export function useMailWatch(): number {
  const place = usePlace()
  const client = useQueryClient()
  const watch = useQuery({
    queryKey: [...endpointKey(listMails, { params: place, query: { since: '' } }).slice(0, -1)],
    queryFn: async ({ signal }) => {
      const list = client.getQueryData<List>(keyOf(place))
      const since = new Date(Date.parse(list?.asOf ?? new Date().toISOString()) - OVERLAP_MS)
      const found = await call(
        listMails,
        { params: place, query: { since: since.toISOString() } },
        { signal },
      )
      if (found.changed.length > 0) putMails(client, place, found)
      return found.waiting
    },
    staleTime: 0,
    // The list may be older than the last look: it was read before a mail left, and arrived after the look.
    refetchInterval: ({ state }) =>
      (state.data ?? 0) > 0 || showsQueued(client.getQueryData<List>(keyOf(place)))
        ? LOOK_MS.sending
        : LOOK_MS.idle,
  })
  return watch.data ?? 0
}

const showsQueued = (list: List | undefined): boolean =>
  list?.candidates.some(({ mail }) => mail?.state === 'queued') === true

function putMails(client: QueryClient, place: Place, found: ResponseOf<typeof listMails>): void {
  const byId = new Map(found.changed.map((one) => [one.candidate, one]))
  client.setQueryData<List>(keyOf(place), (list) => {
    if (!list) return list
    const candidates = list.candidates.map((one) => {
      const mail = byId.get(one.id)
      if (!mail) return one
      const { state, address, at, error, passwordMadeAt } = mail
      const isSame =
        one.mail?.state === state && one.mail.at === at && one.passwordMadeAt === passwordMadeAt
      return isSame ? one : { ...one, passwordMadeAt, mail: { state, address, at, error } }
    })
    return { candidates, asOf: found.asOf }
  })
}
