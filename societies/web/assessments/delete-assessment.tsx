import { matchQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { societyUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { Question } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { deleteAssessment } from '../../contract/lifecycle.ts'
import { countOf } from '../../number-words.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { assessmentKey, societyKey } from '../console/queries.ts'
import { Refusal } from '../kit/fields.tsx'

/** Deletes a test, after a proof of who it is; owners can restore it for seven days (product 7.8.9). */
export function DeleteAssessment() {
  const { society } = useSociety()
  const { code, itemCount, candidateCount, runningCount, submittedCount } = useAssessment()
  const client = useQueryClient()
  const navigate = useNavigate()
  const withProof = useProof()
  const [isAsking, setIsAsking] = useState(false)
  const deleting = useMutation({
    mutationFn: () =>
      withProof(() => call(deleteAssessment, { params: { society: society.id, code } })),
    onSuccess: async () => {
      toast.success(`${code} is deleted`, 'It can be restored for seven days, under Society.')
      await navigate(societyUrl(society.id))
      // The page that is left may still be there for a moment, and would ask for what is gone.
      const gone = { queryKey: assessmentKey(society.id, code) }
      await client.invalidateQueries({
        queryKey: societyKey(society.id),
        predicate: (query) => !matchQuery(gone, query),
      })
      client.removeQueries({ ...gone, type: 'inactive' })
    },
  })
  const all = [
    countOf(itemCount, 'question'),
    countOf(candidateCount, 'candidate'),
    countOf(submittedCount, 'finished test'),
  ].join(', ')
  return (
    <section className="mt-14 max-w-[860px]" aria-labelledby="delete">
      <div className="head">
        <h2 id="delete">Delete</h2>
      </div>
      <p className="mt-4 max-w-[70ch] text-ink-2">
        {runningCount > 0
          ? `${countOf(runningCount, 'candidate is', 'candidates are')} taking the test. It can be deleted when everyone has finished.`
          : 'A deleted test leaves every page at once. Any owner can restore it for seven days. Then questions, candidates and answers are deleted for good; the log stays, without names.'}
      </p>
      {runningCount === 0 && (
        <button type="button" className="btn btn-ghost mt-4" onClick={() => setIsAsking(true)}>
          Delete the test…
        </button>
      )}
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Delete ${code}?`}
        description={`${all}. You can restore it for seven days, under Society.`}
      >
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Cancel
        </button>
        <button
          type="button"
          className="btn"
          aria-disabled={deleting.isPending}
          onClick={() => !deleting.isPending && deleting.mutate()}
        >
          {deleting.isPending ? 'Deleting…' : `Delete ${code}`}
        </button>
        <div className="basis-full">
          <Refusal error={deleting.error} />
        </div>
      </Question>
    </section>
  )
}
