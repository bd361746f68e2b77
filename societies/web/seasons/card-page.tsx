import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { fairnessUrl, societyUrl } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { previewCard, publishCard } from '../../contract/seasons.ts'
import { zoneDay } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { societyKey } from '../console/queries.ts'
import { Top } from '../console/top.tsx'
import { Card } from '../fairness/card.tsx'
import { differsWords } from '../fairness/card-words.ts'
import { Computed } from '../fairness/source.tsx'
import { CopyCardLink } from './copy-card-link.tsx'

type Preview = ResponseOf<typeof previewCard>

const previewQuery = (society: string, season: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'fairness-card', season] as const,
    queryFn: ({ signal }) =>
      call(previewCard, { params: { society }, query: { season } }, { signal }),
    // What is published is what is seen.
    staleTime: 0,
  })

/** /organise/:society/seasons/card?season=: what a season's card would say, and its publication (product 7.21.7). */
export function CardPage() {
  const { society } = useSociety()
  const [search] = useSearchParams()
  const season = search.get('season') ?? ''
  const found = useQuery({ ...previewQuery(society.id, season), enabled: season !== '' })
  const toTests = (
    <Link to={societyUrl(society.id)} className="btn btn-ghost">
      All tests
    </Link>
  )
  if (season === '') return <Message title="Which season?" actions={toTests} />
  if (found.data) {
    return <Shown preview={found.data} season={season} onStale={() => void found.refetch()} />
  }
  if (!found.isError) return <Spinner />
  const isRefused = found.error instanceof ApiFailure && !found.error.isTemporary
  return (
    <Message
      isError
      title={isRefused ? 'This card is not yours to publish' : 'The card could not be made'}
      actions={
        isRefused ? (
          toTests
        ) : (
          <TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />
        )
      }
    >
      {found.error.message}
    </Message>
  )
}

const OBSTACLES: Record<NonNullable<Preview['obstacle']>, string> = {
  nobody_sat: 'Nobody has sat a test of this season, so there is nothing to say yet.',
  still_open: 'A test of this season can still be sat. Its card is made when all are closed.',
  deleted: 'Answers of this season were deleted, so its last card stays as it is.',
}

/** The page's finding: what is public, and whether it is still so. */
function headlineOf({ versions, differsIn, obstacle, isReleased }: Preview): string {
  const newest = versions[0]
  if (!newest) return obstacle === null ? 'Nothing of it is public' : 'No card can be made now'
  if (!isReleased) return `Version ${newest.version} waits for the results`
  if (differsIn.length > 0) return `Version ${newest.version} is public, and not up to date`
  return `Version ${newest.version} is public`
}

function Shown(props: { preview: Preview; season: string; onStale: () => void }) {
  const { preview, season } = props
  const { content, obstacle, cardId, versions, differsIn, isReleased } = preview
  const { society } = useSociety()
  const newest = versions[0]
  const day = (iso: string) => zoneDay(iso, society.timeZone, Date.parse(iso))
  return (
    <>
      <Top
        title={`Fairness card, ${season}`}
        headline={headlineOf(preview)}
        acts={
          <>
            {cardId && <CopyCardLink card={cardId} season={season} />}
            <Publish {...props} />
          </>
        }
      >
        One public page a season, made of the log and the answers: how good the test was, what went
        wrong, what was done about it. Nobody’s name, and nothing of a group under 15.
      </Top>
      {obstacle && <p className="warning mb-6">{OBSTACLES[obstacle]}</p>}
      {!isReleased && (
        <p className="warning mb-6">
          {cardId
            ? 'Its address answers “not yet” until the results of every session are released.'
            : 'The results of this season are not released. You can publish the card, so that its link is known; its address answers “not yet” until then.'}
        </p>
      )}
      {versions.length > 0 && (
        <ul className="mb-6 text-[13.5px] text-ink-2">
          {newest && content && differsIn.length > 0 && (
            <li>
              What stands below {differsWords(differsIn)} from version {newest.version}.
            </li>
          )}
          {versions.map((one) => (
            <li key={one.version}>
              {cardId && isReleased ? (
                <Link className="quiet-link" to={`${fairnessUrl(cardId)}?version=${one.version}`}>
                  Version {one.version}
                </Link>
              ) : (
                `Version ${one.version}`
              )}{' '}
              of {day(one.madeAt)}
              {one.version > 1 && ` ${differsWords(one.differsIn)} from version ${one.version - 1}`}
            </li>
          ))}
        </ul>
      )}
      {content && (
        <section
          aria-label="Preview"
          className="max-w-[1120px] border border-line-strong px-5 md:px-10"
        >
          <Card
            content={content}
            source={
              <>
                <p>Made by the program from the log and the answers, not written by hand.</p>
                <Computed />
              </>
            }
          />
        </section>
      )}
    </>
  )
}

function Publish(props: { preview: Preview; season: string; onStale: () => void }) {
  const { basisHash, versions, differsIn } = props.preview
  const { society } = useSociety()
  const queryClient = useQueryClient()
  const publish = useMutation({
    mutationFn: (hash: string) =>
      call(publishCard, {
        params: { society: society.id },
        body: { season: props.season, basisHash: hash },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: societyKey(society.id) }),
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'card_stale') props.onStale()
    },
  })
  const isNew = basisHash !== null && (versions.length === 0 || differsIn.length > 0)
  const next = (versions[0]?.version ?? 0) + 1
  return (
    <>
      {isNew && (
        <button
          type="button"
          className="btn"
          aria-disabled={publish.isPending}
          onClick={() => !publish.isPending && publish.mutate(basisHash)}
        >
          {publish.isPending ? 'Publishing…' : `Publish version ${next}`}
        </button>
      )}
      <p role="alert" className="basis-full text-end">
        {publish.error?.message}
      </p>
    </>
  )
}
