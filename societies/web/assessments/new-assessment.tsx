import { Link, useSearchParams } from 'react-router'
import { societyUrl } from '../../../platform/urls.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { listChecklists } from '../../contract/lifecycle.ts'
import { useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { CopyOne } from './new-copy.tsx'
import { NewEmpty } from './new-empty.tsx'
import { NewFromFile } from './new-from-file.tsx'

const WAYS = {
  empty: 'An empty one',
  file: 'From a file',
  copy: 'A copy of one',
} as const
type Way = keyof typeof WAYS

/** /organise/:society/new: empty, from a file, or a copy (product 7.8.2). */
export function NewAssessment() {
  const { society } = useSociety()
  const [search] = useSearchParams()
  const found = useEndpoint(listChecklists, { params: { society: society.id } })
  const asked = search.get('from') ?? ''
  const way: Way = asked in WAYS ? (asked as Way) : 'empty'
  return (
    <Loaded of={found} name="assessments">
      {({ assessments, mayCreate }) =>
        mayCreate ? (
          <>
            <Top title="New assessment" headline="A new one begins as a draft">
              Candidates see nothing of it until you publish it.
            </Top>
            <nav aria-label="How to begin" className="filters border-line border-b pb-2.5">
              {Object.entries(WAYS).map(([one, label]) => (
                <Link
                  key={one}
                  to={`${societyUrl(society.id, 'new')}?from=${one}`}
                  replace
                  aria-current={one === way ? 'page' : undefined}
                  className="flex min-h-9 items-center aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[0_2px_0_var(--ink)] max-md:min-h-11"
                >
                  {label}
                </Link>
              ))}
            </nav>
            <div className="mt-7 max-w-[620px]">
              {way === 'empty' && <NewEmpty known={assessments} />}
              {way === 'file' && <NewFromFile known={assessments} />}
              {way === 'copy' && <CopyOne known={assessments} />}
            </div>
          </>
        ) : (
          <Top title="New assessment" headline="An owner or an author makes one">
            {society.roles.some(({ role }) => role === 'author')
              ? 'Your role is for one test, so it would not reach a new one. Please ask an owner.'
              : 'Your role does not make assessments. Please ask an owner.'}
          </Top>
        )
      }
    </Loaded>
  )
}
