import { call } from '../../../platform/web/api.ts'
import { type AnalysedQuestion, keepKey } from '../../contract/analysis.ts'
import { useAct, usePlace } from '../console/use-act.ts'
import { ReasonDialog } from './ruling/reason-dialog.tsx'

/** Says with a reason that a key that seems wrong is right (product 7.18.12). */
export function KeepDialog({
  question,
  onClose,
}: {
  question: AnalysedQuestion
  onClose: () => void
}) {
  const place = usePlace()
  const keeping = useAct(
    (reason: string) =>
      call(keepKey, { params: { ...place, item: String(question.item) }, body: { reason } }),
    onClose,
  )
  return (
    <ReasonDialog
      title={`The key of question ${question.item} is right`}
      description="No result changes. The notice goes, and can be brought back."
      act={`Keep ${question.keys.join(' or ')}`}
      isBusy={keeping.isBusy}
      problem={keeping.problem}
      onClose={onClose}
      onAct={keeping.run}
    />
  )
}
