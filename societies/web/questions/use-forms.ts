import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { assignForm, listQuestions } from '../../contract/questions.ts'
import type { Form } from '../../questions/two-forms.ts'
import { SOCIETIES_KEY } from '../console/queries.ts'
import { usePlace } from '../kit/use-act.tsx'
import type { ListOfQuestions } from './listed-question.ts'

/**
 * Gives questions to a form of the test (product 7.19.1): shown at once, sent one after the other, so that fast
 * fingers never meet a form that their own press before has changed.
 */
export function useForms() {
  const place = usePlace()
  const client = useQueryClient()
  const { queryKey } = endpointQuery(listQuestions, { params: place })
  const mutationKey = ['assign-form', place.code]
  const assigning = useMutation({
    mutationKey,
    scope: { id: `assign-form ${place.code}` },
    mutationFn: (body: BodyOf<typeof assignForm>) => call(assignForm, { params: place, body }),
    onSettled: () =>
      client.isMutating({ mutationKey }) === 1 &&
      client.invalidateQueries({ queryKey: SOCIETIES_KEY }),
  })

  /** @param form null: both */
  function assign(questionIds: ReadonlySet<string>, form: Form | null): void {
    const list = client.getQueryData<ListOfQuestions>(queryKey)
    if (!list) return
    const questions = list.items.flatMap(({ questionId, form: was }) =>
      questionIds.has(questionId) && was !== form ? { questionId, was } : [],
    )
    if (questions.length === 0) return
    const items = list.items.map((one) =>
      questionIds.has(one.questionId) ? { ...one, form } : one,
    )
    client.setQueryData(queryKey, { ...list, items })
    assigning.mutate({ questions, form })
  }

  return { assign, problem: assigning.error?.message ?? null }
}
