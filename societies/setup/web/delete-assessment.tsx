import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { societyUrl } from '../../../platform/urls.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { getSocietyAssessment } from '../../kit/contract.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { deleteAssessment } from '../contract.ts'

/** Deletes a test, after a proof of who it is; owners can restore it for seven days (product 7.8.9). */
export function DeleteAssessment() {
  const { society } = useSociety()
  const { code, itemCount, candidateCount, runningCount, submittedCount } = useAssessment()
  const params = { society: society.id, code }
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const all = [
    countOf(itemCount, 'question'),
    countOf(candidateCount, 'candidate'),
    countOf(submittedCount, 'finished test'),
  ].join(', ')
  return (
    <Section title="Delete" className="mt-14 max-w-[860px]">
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
      {isAsking && (
        <ActionDialog
          title={`Delete ${code}?`}
          text={`${all}. You can restore it for seven days, under Society.`}
          endpoint={deleteAssessment}
          input={{ params }}
          button={[`Delete ${code}`, 'Deleting…']}
          done={async () => {
            toast.success(`${code} is deleted`, 'It can be restored for seven days, under Society.')
            await navigate(societyUrl(society.id))
            // What is read again after an act must not ask for the deleted test.
            client.removeQueries({ queryKey: endpointKey(getSocietyAssessment, { params }) })
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}
