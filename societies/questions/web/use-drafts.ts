import { useEffect, useState } from 'react'
import { changedFields, type Draft, type QuestionContent } from '../question-content.ts'

/** In the address and among the drafts, for a question that does not exist yet. */
export const NEW = 'new'

/** A member's unsaved changes of a question. */
export interface Unsaved {
  /** what it was made from */
  read: Draft
  version: number
  draft: Draft
  /** another member saved first: the editor shows the saved version until this is put back or discarded */
  isAside?: boolean
  /** the question that a new one is placed behind; left out: at the end */
  after?: string
}

/** Unsaved changes by question: choosing another question loses none (product 7.9.4). */
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
  /** A change that was undone is none. */
  const orNone = (unsaved: Unsaved) =>
    changedFields(unsaved.read, unsaved.draft).length > 0 ? unsaved : null
  return {
    drafts,
    put: (question: string, unsaved: Unsaved) =>
      change(question, () => (question === NEW ? unsaved : orNone(unsaved))),
    drop: (question: string) => change(question, () => null),
    /** Keeps what was typed while the draft was being saved. */
    saved: (question: string, content: QuestionContent, version: number, was: Draft) =>
      change(question, (now) =>
        now && now.draft !== was ? orNone({ read: content, version, draft: now.draft }) : null,
      ),
  }
}
