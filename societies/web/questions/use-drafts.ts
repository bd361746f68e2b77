import { useEffect, useState } from 'react'
import { changedFields, type Draft } from '../../questions/question-content.ts'

/** What one has changed of a question and not saved. */
export interface Unsaved {
  /** what it was made from */
  read: Draft
  version: number
  draft: Draft
  /** somebody else saved first: the editor shows what is saved, until this is put back or discarded */
  isAside?: boolean
}

/** Changes that wait to be saved, by question: choosing another question loses none (product 7.9.4). */
export function useDrafts() {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Unsaved>>(new Map())
  const isAny = drafts.size > 0
  useEffect(() => {
    if (!isAny) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAny])

  const drop = (question: string) =>
    setDrafts((before) => {
      const next = new Map(before)
      next.delete(question)
      return next
    })
  /** What was changed back is no change. */
  const put = (question: string, unsaved: Unsaved, isNew = false) =>
    !isNew && changedFields(unsaved.read, unsaved.draft).length === 0
      ? drop(question)
      : setDrafts((before) => new Map(before).set(question, unsaved))
  return { drafts, put, drop }
}
