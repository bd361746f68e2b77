import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { TryAgain } from '../../../platform/web/ui/message.tsx'
import { changedFields, type QuestionContent } from '../../questions/question-content.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { wordsOfField } from './field-words.ts'
import { type Desk, versionsQuery } from './queries.ts'

/** All versions of a question: who, when, what changed, and any of them brought back (product 7.9.8). */
export function HistoryDialog(props: {
  desk: Desk
  question: string
  onClose: () => void
  /** undefined while nothing can be changed */
  onBringBack: ((version: number, content: QuestionContent) => void) | undefined
}) {
  const { society } = useSociety()
  const found = useQuery(versionsQuery(props.desk, props.question))
  const versions = found.data ?? []
  return (
    <Dialog open onOpenChange={props.onClose} title="Versions" wide>
      {found.isError && (
        <p role="alert" className="flex flex-wrap items-center gap-3">
          The versions could not be loaded.
          <TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />
        </p>
      )}
      {found.isPending && <p role="status">Loading…</p>}
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
                    : 'as it was loaded, imported or copied'}
                </span>
                {index > 0 && props.onBringBack && (
                  <button
                    type="button"
                    className="btn btn-ghost btn-small"
                    onClick={() => props.onBringBack?.(version, content)}
                  >
                    Bring version {version} back
                  </button>
                )}
                {index === 0 && <span className="hint">stands now</span>}
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
    </Dialog>
  )
}
