import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyOf, Endpoint, ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import * as contract from '../../contract/questions.ts'
import type { QuestionContent } from '../../questions/question-content.ts'
import { useProof } from '../console/proof.tsx'
import { assessmentKey } from '../console/queries.ts'

/** Whose questions. */
export interface Desk {
  society: string
  code: string
}

export type ListedQuestion = ResponseOf<typeof contract.listQuestions>['items'][number]
/** What of a listed question is written in the editor. */
export const contentOf = (item: ListedQuestion): QuestionContent => {
  const { question, options, answer, explanation, topic, compute, exhibit } = item
  return { question, options, answer, explanation, topic, compute, exhibit }
}

export type BankQuestion = ResponseOf<typeof contract.listBank>[number]

const questionsKey = ({ society, code }: Desk) =>
  [...assessmentKey(society, code), 'questions'] as const

export const questionsQuery = (desk: Desk) =>
  queryOptions({
    queryKey: questionsKey(desk),
    queryFn: ({ signal }) => call(contract.listQuestions, { params: { ...desk } }, { signal }),
  })

export const versionsQuery = (desk: Desk, question: string) =>
  queryOptions({
    queryKey: [...questionsKey(desk), 'versions', question],
    queryFn: ({ signal }) =>
      call(contract.listQuestionVersions, { params: { ...desk, question } }, { signal }),
    staleTime: 0,
  })

export const bankQuery = (desk: Desk) =>
  queryOptions({
    queryKey: [...questionsKey(desk), 'bank'],
    queryFn: ({ signal }) => call(contract.listBank, { params: { ...desk } }, { signal }),
    staleTime: 0,
  })

/** A call that changes the questions: what is shown of the assessment is read again, also when it was refused. */
export function useChange<E extends Endpoint, Given>(
  desk: Desk,
  change: (given: Given) => Promise<ResponseOf<E>>,
) {
  const client = useQueryClient()
  const withProof = useProof()
  return useMutation({
    // A save hands out the keys again; the proof of half an hour ago may be asked for anew.
    mutationFn: (given: Given) => withProof(() => change(given)),
    onSettled: () => client.invalidateQueries({ queryKey: assessmentKey(desk.society, desk.code) }),
  })
}

type Content = BodyOf<typeof contract.addQuestion>['content']

export const useAdd = (desk: Desk) =>
  useChange<typeof contract.addQuestion, { content: Content; after: string | null }>(desk, (body) =>
    call(contract.addQuestion, { params: { ...desk }, body }),
  )

export const useSave = (desk: Desk) =>
  useChange<typeof contract.saveQuestion, { question: string; content: Content; version: number }>(
    desk,
    ({ question, ...body }) => call(contract.saveQuestion, { params: { ...desk, question }, body }),
  )

export const useRemove = (desk: Desk) =>
  useChange<typeof contract.removeQuestion, { question: string; version: number }>(
    desk,
    ({ question, ...body }) =>
      call(contract.removeQuestion, { params: { ...desk, question }, body }),
  )

export const useRestore = (desk: Desk) =>
  useChange<
    typeof contract.restoreQuestion,
    BodyOf<typeof contract.restoreQuestion> & { question: string }
  >(desk, ({ question, ...body }) =>
    call(contract.restoreQuestion, { params: { ...desk, question }, body }),
  )

export const useCheckKey = (desk: Desk) =>
  useChange<typeof contract.checkKey, BodyOf<typeof contract.checkKey> & { question: string }>(
    desk,
    ({ question, ...body }) => call(contract.checkKey, { params: { ...desk, question }, body }),
  )

export const useTake = (desk: Desk) =>
  useChange<typeof contract.takeFromBank, string[]>(desk, (questions) =>
    call(contract.takeFromBank, { params: { ...desk }, body: { questions } }),
  )
