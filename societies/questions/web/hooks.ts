import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call, fetchFile } from '../../../platform/web/api.ts'
import { dataUrl } from '../../../platform/web/save-file.ts'
import type { ShownPicture } from '../../../platform/web/ui/exhibit.tsx'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { SOCIETIES_KEY } from '../../kit/web/console/queries.ts'
import { usePlace } from '../../kit/web/use-act.tsx'
import { assignForm, getPicture, listQuestions, orderQuestions } from '../contract.ts'
import { changedFields, type Draft, type QuestionContent } from '../question-content.ts'
import type { Form } from '../two-forms.ts'

/** Stands for a new question in the address and among drafts. */
export const NEW = 'new'

interface Unsaved {
  /** the saved content that the draft started from */
  read: Draft
  version: number
  draft: Draft
  /** another member saved first, so the editor shows the saved version until the draft is restored or discarded */
  isAside?: boolean
  /** the question before a new one; left out: at the end */
  after?: string
}

/** Keeps unsaved changes by question, so switching questions loses nothing (product 7.9.4). */
export function useDrafts() {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Unsaved>>(new Map())
  const isAny = drafts.size > 0
  useEffect(() => {
    if (!isAny) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAny])

  const change = (question: string, next: (now: Unsaved | undefined) => Unsaved | null) =>
    setDrafts((before) => {
      const drafts = new Map(before)
      const unsaved = next(before.get(question))
      if (!unsaved) drafts.delete(question)
      else drafts.set(question, unsaved)
      return drafts
    })
  const orNone = (unsaved: Unsaved) =>
    changedFields(unsaved.read, unsaved.draft).length > 0 ? unsaved : null
  return {
    drafts,
    put: (question: string, unsaved: Unsaved) =>
      change(question, () => (question === NEW ? unsaved : orNone(unsaved))),
    drop: (question: string) => change(question, () => null),
    /** Keeps what the member typed while the draft was being saved. */
    saved: (question: string, content: QuestionContent, version: number, was: Draft) =>
      change(question, (now) =>
        now && now.draft !== was ? orNone({ read: content, version, draft: now.draft }) : null,
      ),
  }
}

type List = ResponseOf<typeof listQuestions>

/** Changes order and forms (product 7.9.7, 7.19.1). Changes show immediately and are sent one after the other. */
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
    // A running request would bring back the old list.
    void client.cancelQueries({ queryKey })
    client.setQueryData<List>(queryKey, (list) => list && { ...list, items })
  }
  const itemsNow = () => client.getQueryData<List>(queryKey)?.items ?? []
  return {
    problem: sending.error?.message,
    /** @param to the new position, from 0 */
    move(question: string, to: number): void {
      const items = itemsNow()
      const from = items.findIndex(({ questionId }) => questionId === question)
      const moved = items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1))
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

export function usePicture({ exhibit }: Pick<Draft, 'exhibit'>): ShownPicture | undefined {
  const place = usePlace()
  const picture = exhibit?.kind === 'picture' ? exhibit.picture : null
  const found = useQuery({
    queryKey: ['exhibit-picture', picture],
    queryFn: async ({ signal }) => {
      const params = { ...place, picture: picture ?? '' }
      return dataUrl(await fetchFile(getPicture, { params }, { signal }))
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: picture !== null,
  })
  if (picture === null) return undefined
  if (found.data) return { state: 'ready', url: found.data }
  return found.isError
    ? { state: 'failed', onTryAgain: () => void found.refetch() }
    : { state: 'loading' }
}
