import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import { listQuestionVersions } from '../contract.ts'
import { changedFields, type QuestionContent, type QuestionField } from '../question-content.ts'

/** All versions of a question: who, when, what changed, and any of them brought back (product 7.9.8). */
export function HistoryDialog(props: {
  question: string
  onClose: () => void
  /** undefined while nothing can be changed */
  onBringBack: ((content: QuestionContent) => void) | undefined
}) {
  const { society } = useSociety()
  const found = useEndpoint(
    listQuestionVersions,
    { params: { ...usePlace(), question: props.question } },
    { staleTime: 0 },
  )
  return (
    <Dialog open onOpenChange={props.onClose} title="Versions" wide>
      <Loaded of={found} name="versions" isPart>
        {(versions) => (
          <ol>
            {versions.map(({ version, content, changedByName, changedByYou, changedAt }, index) => {
              const before = versions[index + 1]?.content
              const fields = before ? changedFields(before, content) : []
              return (
                <li key={version} className="border-line border-b py-3 first:pt-0">
                  <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                    <b className="font-semibold">Version {version}</b>
                    <span className="hint flex-1">
                      {changedByName && changedAt
                        ? `${changedByYou ? 'You' : changedByName}, ${zoneMoment(changedAt, society.timeZone, Date.now())}`
                        : 'as loaded, imported or copied'}
                    </span>
                    {index > 0 && props.onBringBack && (
                      <button
                        type="button"
                        className="btn btn-ghost btn-small"
                        onClick={() => props.onBringBack?.(content)}
                      >
                        Bring version {version} back
                      </button>
                    )}
                    {index === 0 && <span className="hint">current version</span>}
                  </div>
                  <p className="mt-1">{content.question}</p>
                  <p className="hint">
                    Key {content.answer}: {content.options[content.answer]}
                    {fields.length > 0 && ` · changed: ${fields.map(wordsOfField).join(', ')}`}
                  </p>
                </li>
              )
            })}
          </ol>
        )}
      </Loaded>
    </Dialog>
  )
}

function wordsOfField(field: QuestionField): string {
  if (field === 'answer') return 'Key'
  if (field === 'compute') return 'Computed answer'
  return field.length === 1 ? `Option ${field}` : field.charAt(0).toUpperCase() + field.slice(1)
}
