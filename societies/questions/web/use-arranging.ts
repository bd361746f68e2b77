import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { SOCIETIES_KEY } from '../../kit/web/console/queries.ts'
import { usePlace } from '../../kit/web/use-act.tsx'
import { assignForm, listQuestions, orderQuestions } from '../contract.ts'
import type { Form } from '../two-forms.ts'

type List = ResponseOf<typeof listQuestions>

/**
 * Changes the order of the questions and their forms (product 7.9.7, 7.19.1): shown at once, sent one after the other,
 * so that fast presses never conflict with each other.
 */
export function useArranging() {
  const place = usePlace()
  const client = useQueryClient()
  const { queryKey } = endpointQuery(listQuestions, { params: place })
  const mutationKey = ['arrange', place.code]
  const sending = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (send: (listVersion: string) => Promise<{ listVersion: string }>) =>
      send(client.getQueryData<List>(queryKey)?.listVersion ?? ''),
    onSuccess: ({ listVersion }) =>
      client.setQueryData<List>(queryKey, (list) => list && { ...list, listVersion }),
    onSettled: () =>
      client.isMutating({ mutationKey }) === 1 &&
      client.invalidateQueries({ queryKey: SOCIETIES_KEY }),
  })
  function show(items: List['items']): void {
    // A read that is on its way would show the list as it was.
    void client.cancelQueries({ queryKey })
    client.setQueryData<List>(queryKey, (list) => list && { ...list, items })
  }
  const itemsNow = () => client.getQueryData<List>(queryKey)?.items ?? []
  return {
    problem: sending.error?.message,
    /** @param to its place then, from 0 */
    move(question: string, to: number): void {
      const items = itemsNow()
      const from = items.findIndex(({ questionId }) => questionId === question)
      const moved = items.toSpliced(from, 1)
      moved.splice(to, 0, ...items.slice(from, from + 1))
      show(moved)
      const order = moved.map(({ questionId }) => questionId)
      sending.mutate((listVersion) =>
        call(orderQuestions, { params: place, body: { order, listVersion } }),
      )
    },
    /** @param form null: both */
    assign(ids: ReadonlySet<string>, form: Form | null): void {
      const changed = itemsNow().filter((one) => ids.has(one.questionId) && one.form !== form)
      if (changed.length === 0) return
      const questions = changed.map(({ questionId, form: was }) => ({ questionId, was }))
      show(itemsNow().map((one) => (ids.has(one.questionId) ? { ...one, form } : one)))
      sending.mutate(() => call(assignForm, { params: place, body: { questions, form } }))
    },
  }
}
