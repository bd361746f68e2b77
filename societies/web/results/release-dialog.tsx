import { releasedParagraphs, scoreShown } from '../../../assessments/released-result.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { blindNumber } from '../../blind-number.ts'
import { RELEASE_WORDS_LENGTH, releaseResults } from '../../contract/results.ts'
import { useAssessment } from '../console/console.tsx'
import { ActionDialog, REASON } from '../kit/ask.tsx'
import { usePlace } from '../kit/use-act.tsx'
import type { Obstacle } from './results-words.ts'
import type { Results, Shown } from './view.ts'

/**
 * Lets candidates read their own result: what they will read, and what is open (product 7.17.12).
 * @param props.sample whose result the preview shows
 */
export function ReleaseDialog(props: {
  results: Results
  obstacles: readonly Obstacle[]
  count: number
  sample: Shown
  items: number
  onClose: () => void
}) {
  const { results, obstacles, count, sample, items } = props
  const place = usePlace()
  const { society } = useAssessment()
  const isFixed = results.line?.fixedAt != null
  const holding = obstacles.filter(({ isTold }) => !isTold)
  return (
    <ActionDialog
      title={`Release ${countOf(count, 'result')}`}
      text="Each candidate sees their own result on the page where they submitted the test, with the account they took it with. No email is sent, and no candidate sees another’s name, score or place."
      wide
      endpoint={releaseResults}
      input={{ params: place }}
      fields={{
        words: {
          kind: 'area',
          label: 'Your words',
          note: 'optional',
          hint: `Plain text, ${RELEASE_WORDS_LENGTH} characters at most.`,
          maxLength: RELEASE_WORDS_LENGTH,
          start: results.release?.words ?? '',
          empty: '',
        },
        tellsLine: {
          kind: 'check',
          label: 'Tell where the line is, and on which side they are',
          hint: isFixed ? undefined : 'Fix the line first.',
          isOff: !isFixed,
        },
        ...(holding.length > 0 && {
          reason: {
            ...REASON,
            label: 'Reason to release them all the same',
            hint: `Not settled yet: ${holding.map(({ sentence }) => sentence).join(' ')} The reason is saved in the log.`,
            isNeeded: true,
          },
        }),
      }}
      button={[`Release ${countOf(count, 'result')}`, 'Releasing…']}
      done={() => toast.success('Results released', 'Each candidate sees only their own.')}
      onClose={props.onClose}
    >
      {({ words, tellsLine }) => (
        <>
          <section aria-labelledby="what-they-read" className="border-line border-y py-4">
            <h3 id="what-they-read">What candidate {blindNumber(sample.number)} will read</h3>
            <p className="mt-3 text-ink-2">
              {society} has released the results. Each candidate reads the own one alone.
            </p>
            <p className="mt-3 font-serif text-[32px] leading-none">
              {scoreShown({ right: sample.right, items })}
            </p>
            {releasedParagraphs({
              right: sample.right,
              items,
              error: sample.error,
              line: tellsLine ? (results.line?.points ?? null) : null,
            }).map((text) => (
              <p key={text} className="mt-3 max-w-[60ch]">
                {text}
              </p>
            ))}
            {String(words).trim() && (
              <blockquote className="mt-4 whitespace-pre-line border-line-strong border-l-2 pl-4">
                {String(words).trim()}
              </blockquote>
            )}
          </section>
          {obstacles
            .filter(({ isTold }) => isTold)
            .map(({ sentence }) => (
              <p key={sentence}>{sentence}</p>
            ))}
        </>
      )}
    </ActionDialog>
  )
}
