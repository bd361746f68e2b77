import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TryAgain } from '../../platform/web/ui/message.tsx'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { LoadingNote, Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { CredentialDialog } from './credential-dialog.tsx'
import { ProcessRow } from './open-process.tsx'
import { assessmentsQuery, type Process } from './queries.ts'

/** The requirements for an assessment (product 6.1.1). */
const REQUIREMENTS = [
  [
    'Valid credentials',
    'Your society gives you a username and password. Your account here isn’t enough.',
  ],
  [
    'A timed assessment, a single submission',
    'The clock starts with the test and never stops. You submit once.',
  ],
  ['A final submission', 'Your submission is final. You can’t repeat the assessment.'],
] as const

/** /recruitment: explains assessments, their requirements, and the open processes. */
export function Recruitment() {
  useTitle('Society Assessments')
  const [chosen, setChosen] = useState<Process | null>(null)
  return (
    <main className="wrap wrap-narrow pt-12 pb-8">
      <p className="eyebrow">Finance Society Recruiting</p>
      <h1 className="mt-2">Society Assessments</h1>
      <p className="mt-5 max-w-[62ch] text-[17px] text-ink-2">
        University finance societies choose new members with a short online assessment: four options
        a question, one clock, and the same rules for everyone. The society that invited you runs
        the test, receives your result and decides whether to show it to you.
      </p>
      <section aria-labelledby="requirements" className="mt-12">
        <h2 id="requirements" className="border-ink border-b pb-3">
          Requirements
        </h2>
        <ol className="grid sm:grid-cols-3 sm:gap-8">
          {REQUIREMENTS.map(([title, text], index) => (
            <li key={title} className="border-line py-5 max-sm:border-b">
              <p aria-hidden className="font-serif text-[19px] text-ink-2">
                {index + 1}
              </p>
              <h3 className="mt-1 text-[20px]">{title}</h3>
              <p className="mt-2 text-[15px] text-ink-2">{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="processes" className="mt-10">
        <h2 id="processes" className="border-ink border-b pb-3">
          Open processes
        </h2>
        <Processes onChoose={setChosen} />
      </section>
      <CredentialDialog process={chosen} onClose={() => setChosen(null)} />
    </main>
  )
}

function Processes({ onChoose }: { onChoose: (process: Process) => void }) {
  const assessments = useQuery(assessmentsQuery)
  if (assessments.data) {
    const societies = [...new Set(assessments.data.map(({ society }) => society))]
    if (societies.length === 0) {
      return (
        <p className="py-6 text-ink-2">
          No process is open at the moment. Your society tells you when its assessment begins.
        </p>
      )
    }
    return (
      <ul>
        {societies.map((society) => (
          <ProcessRow
            key={society}
            society={society}
            processes={assessments.data.filter((process) => process.society === society)}
            onChoose={onChoose}
          />
        ))}
      </ul>
    )
  }
  if (assessments.isError) {
    return (
      <div role="alert" className="py-6">
        <p className="mb-4">The open processes could not be loaded.</p>
        <TryAgain onClick={() => void assessments.refetch()} isBusy={assessments.isFetching} />
      </div>
    )
  }
  return (
    <div>
      <LoadingNote>Loading the open processes</LoadingNote>
      {['first', 'second'].map((key) => (
        <div key={key} className="border-line border-b py-6">
          <Skeleton className="h-6 w-72 max-w-full" />
          <Skeleton className="mt-3 h-4 w-48" />
          <Skeleton className="mt-5 h-11 w-36" />
        </div>
      ))}
    </div>
  )
}
