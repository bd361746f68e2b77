import { releasedParagraphs, scoreShown } from '../../../assessments/released-result.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf } from '../../../platform/words.ts'
import { blindNumber } from '../../kit/role-words.ts'
import { ActionDialog, REASON } from '../../kit/web/ask.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { RELEASE_WORDS_LENGTH, type Results, releaseResults } from '../contract.ts'
import type { Obstacle } from '../obstacles.ts'
import type { Shown } from './results-words.ts'

/** Previews what candidates will see, and releases the results (product 7.17.12). */
export function ReleaseDialog(props: {
  results: Results
  obstacles: readonly Obstacle[]
  count: number
  sample: Shown
  onClose: () => void
}) {
  const { results, obstacles, count, sample } = props
  const place = usePlace()
  const { society } = useAssessment()
  const isFixed = results.line?.fixedAt != null
  const release = `Release ${countOf(count, 'result')}`
  const { right, error, items } = sample
  const { readers } = results
  const holding = obstacles.filter(({ isTold }) => !isTold)
  return (
    <ActionDialog
      title={release}
      text="Each candidate sees only their own result: no other name, score or place."
      wide
      endpoint={releaseResults}
      input={{ params: place }}
      fields={{
        words: {
          kind: 'area',
          label: 'Your message',
          note: 'optional',
          hint: `Plain text, ${RELEASE_WORDS_LENGTH} characters at most.`,
          maxLength: RELEASE_WORDS_LENGTH,
          start: results.release?.words ?? '',
          empty: '',
        },
        tellsLine: {
          kind: 'check',
          label: 'Show the cut score and whether they reached it',
          hint: isFixed ? undefined : 'Lock the cut score first.',
          isOff: !isFixed,
        },
        ...(readers.withEmail > 0 && {
          sendsEmails: {
            kind: 'check' as const,
            label: `Email ${countOf(readers.withEmail, 'candidate')}`,
            hint: 'Each email has the link and the username, not the score.',
            start: true,
          },
        }),
        ...(holding.length > 0 && {
          reason: {
            ...REASON,
            label: 'Reason to release them anyway',
            hint: `Still open: ${holding.map(({ sentence }) => sentence).join(' ')} The reason is saved in the log.`,
            isNeeded: true,
          },
        }),
      }}
      button={[release, 'Releasing…']}
      done={({ emails }) => {
        const sent = `${countOf(emails, 'email is', 'emails are')} on the way.`
        toast.success('Results released', emails > 0 ? sent : 'Each candidate sees only their own.')
      }}
      onClose={props.onClose}
    >
      {({ words, tellsLine }) => (
        <>
          <Readers readers={readers} />
          <section aria-labelledby="what-they-read" className="border-line border-y py-4">
            <h3 id="what-they-read">What candidate {blindNumber(sample.number)} will see</h3>
            <p className="mt-3 text-ink-2">
              {society} has released the results. Each candidate sees only their own.
            </p>
            <p className="mt-3 font-serif text-[32px] leading-none">
              {scoreShown({ right, items })}
            </p>
            {releasedParagraphs({
              right,
              items,
              error,
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

/** Says who can read their result, and how (product 7.17.12). */
function Readers({ readers: { guests, accounts, none } }: Pick<Results, 'readers'>) {
  const ways: [count: number, title: string, how: string][] = [
    [guests, 'took the test as guests', 'Username and password show the result in any browser.'],
    [
      accounts,
      'used an account',
      'They can see it in their account, or with their username and password.',
    ],
    [none, 'can’t see it', 'They were removed from the list, so their password no longer works.'],
  ]
  return (
    <section aria-labelledby="who-reads">
      <h3 id="who-reads">Who can see their result, and how</h3>
      <ul>
        {ways
          .filter(([count]) => count > 0)
          .map(([count, title, how]) => (
            <li key={title} className="border-line border-b py-2 last:border-0">
              <b className="font-medium">
                {count} {title}
              </b>
              <span className="hint block text-ink-2">{how}</span>
            </li>
          ))}
      </ul>
    </section>
  )
}
