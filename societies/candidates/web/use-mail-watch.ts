import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { usePlace } from '../../kit/web/use-act.tsx'
import { listCandidates, listMails } from '../contract.ts'

type List = ResponseOf<typeof listCandidates>

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
  const listKey = endpointKey(listCandidates, { params: place })
  const listNow = () => client.getQueryData<List>(listKey)
  const watch = useQuery({
    queryKey: endpointKey(listMails, { params: place, query: {} as { since: string } }),
    queryFn: async ({ signal }) => {
      const asOfMs = Date.parse(listNow()?.asOf ?? new Date().toISOString())
      const query = { since: new Date(asOfMs - OVERLAP_MS).toISOString() }
      const found = await call(listMails, { params: place, query }, { signal })
      if (found.changed.length > 0) {
        client.setQueryData<List>(listKey, (list) => list && withMails(list, found))
      }
      return found.waiting
    },
    staleTime: 0,
    // The list may be older than the last look: it was read before a mail left, and arrived after the look.
    refetchInterval: ({ state }) =>
      (state.data ?? 0) > 0 || listNow()?.candidates.some(({ mail }) => mail?.state === 'queued')
        ? LOOK_MS.sending
        : LOOK_MS.idle,
  })
  return watch.data ?? 0
}

/** The list with newer mails; rows without one stay the same objects, so that they are not drawn again. */
function withMails(list: List, { changed, asOf }: ResponseOf<typeof listMails>): List {
  const byId = new Map(changed.map((one) => [one.candidate, one]))
  const candidates = list.candidates.map((one) => {
    const mail = byId.get(one.id)
    if (!mail) return one
    const { state, address, at, error, passwordMadeAt } = mail
    const isSame =
      one.mail?.state === state && one.mail.at === at && one.passwordMadeAt === passwordMadeAt
    return isSame ? one : { ...one, passwordMadeAt, mail: { state, address, at, error } }
  })
  return { candidates, asOf }
}
