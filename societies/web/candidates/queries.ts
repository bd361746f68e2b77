import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import {
  type CandidateFacts,
  getCandidate,
  getLetter,
  listCandidates,
  listMails,
} from '../../contract/candidates.ts'
import { assessmentKey } from '../console/queries.ts'

interface Place {
  society: string
  code: string
}

const keyOf = ({ society, code }: Place) => [...assessmentKey(society, code), 'candidates'] as const

export const candidatesQuery = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place),
    queryFn: ({ signal }) => call(listCandidates, { params: place }, { signal }),
  })
type List = Awaited<ReturnType<NonNullable<ReturnType<typeof candidatesQuery>['queryFn']>>>

/** One candidate's given time and the history of the password. */
export const historyQuery = (place: Place, { id, mail }: CandidateFacts) =>
  queryOptions({
    // The newest mail's state is a part of it: another state is another history.
    queryKey: [...keyOf(place), id, mail?.state, mail?.at] as const,
    queryFn: ({ signal }) =>
      call(getCandidate, { params: { ...place, candidate: id } }, { signal }),
  })

export const letterQuery = (place: Place) =>
  queryOptions({
    queryKey: [...assessmentKey(place.society, place.code), 'letter'] as const,
    queryFn: ({ signal }) => call(getLetter, { params: place }, { signal }),
  })

/** Milliseconds between two looks at the mails, while some wait and otherwise. */
const LOOK_MS = { sending: 2_000, idle: 10_000 }
/** What was being stored when the last look began comes with the next one. */
const OVERLAP_MS = 5_000

/** Follows the mails: what has changed goes into the list, which keeps its rows where they are. */
export function useMailWatch(place: Place, isLoaded: boolean): number {
  const client = useQueryClient()
  const watch = useQuery({
    queryKey: [...keyOf(place), 'watch'],
    queryFn: async ({ signal }) => {
      const list = client.getQueryData<List>(keyOf(place))
      const since = new Date(Date.parse(list?.asOf ?? new Date().toISOString()) - OVERLAP_MS)
      const found = await call(
        listMails,
        { params: place, query: { since: since.toISOString() } },
        { signal },
      )
      if (found.changed.length > 0) putMails(client, place, found)
      return { waiting: found.waiting }
    },
    enabled: isLoaded,
    staleTime: 0,
    // The list may be older than the last look: it was read before a mail left, and arrived after the look.
    refetchInterval: ({ state }) =>
      (state.data?.waiting ?? 0) > 0 || showsQueued(client.getQueryData<List>(keyOf(place)))
        ? LOOK_MS.sending
        : LOOK_MS.idle,
  })
  return watch.data?.waiting ?? 0
}

const showsQueued = (list: List | undefined): boolean =>
  list?.candidates.some(({ mail }) => mail?.state === 'queued') === true

type Changes = Awaited<ReturnType<typeof call<typeof listMails>>>

function putMails(client: QueryClient, place: Place, { changed, asOf }: Changes): void {
  const byId = new Map(changed.map((one) => [one.candidate, one]))
  client.setQueryData<List>(keyOf(place), (list) => {
    if (!list) return list
    const candidates = list.candidates.map((one) => {
      const found = byId.get(one.id)
      if (!found) return one
      const { state, address, at, error, passwordMadeAt } = found
      const isSame =
        one.mail?.state === state && one.mail.at === at && one.passwordMadeAt === passwordMadeAt
      return isSame ? one : { ...one, passwordMadeAt, mail: { state, address, at, error } }
    })
    return { candidates, asOf }
  })
}
