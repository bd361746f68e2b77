import { queryOptions, useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { readCard } from '../../contract/card.ts'
import { Card } from './card.tsx'
import { ReferenceCheck } from './reference-check.tsx'
import { Source } from './source.tsx'

const cardQuery = (card: string, version: string | null) =>
  queryOptions({
    queryKey: ['fairness', card, version],
    queryFn: ({ signal }) =>
      call(readCard, { params: { card }, query: version ? { version } : {} }, { signal }),
  })

/** /fairness/:card: how a season's test was run, for everybody (product 7.21.5). */
export function FairnessPage() {
  const { card: cardId = '' } = useParams()
  const [search] = useSearchParams()
  useNoIndex()
  return (
    <>
      <header className="fair-mast">
        <div>
          <a className="word" href={URLS.landing}>
            Super<span className="fair-day">day</span>
          </a>
          <p className="hint">
            A public page. No name, no score of a person, no statistic of a group under 15.
          </p>
        </div>
      </header>
      <main className="fair-page">
        <Found key={cardId} cardId={cardId} version={search.get('version')} />
      </main>
    </>
  )
}

function Found({ cardId, version }: { cardId: string; version: string | null }) {
  const found = useQuery(cardQuery(cardId, version))
  const card = found.data?.card
  useTitle(
    card ? `${card.content.season}, ${card.content.society}` : 'Fairness card',
    card ? `How the ${card.content.season} test of ${card.content.society} was run.` : undefined,
  )
  if (card) {
    const isNewest = card.versions[0]?.version === card.version
    return (
      <Card
        content={card.content}
        aside={isNewest && <ReferenceCheck cardId={cardId} sat={card.content.sat} />}
        source={
          <>
            <Source cardId={cardId} card={card} />
            <p className="fair-print">
              <button type="button" className="btn btn-ghost" onClick={() => window.print()}>
                <Printer size={16} aria-hidden />
                Print or save as PDF
              </button>
            </p>
          </>
        }
      />
    )
  }
  if (found.data) {
    return (
      <div className="fair-empty">
        <Message
          title="Not yet"
          actions={
            <button type="button" className="btn" onClick={() => void found.refetch()}>
              {found.isFetching ? 'Looking…' : 'Look again'}
            </button>
          }
        >
          This page says how a test was run, and is public once its results are released.
        </Message>
      </div>
    )
  }
  if (!found.isError) return <Spinner />
  const isGone = found.error instanceof ApiFailure && !found.error.isTemporary
  return (
    <div className="fair-empty">
      <Message
        isError
        title={isGone ? 'There is no such card' : 'The card could not be loaded'}
        actions={
          isGone ? (
            <Link to={URLS.landing} className="btn">
              To Superday
            </Link>
          ) : (
            <TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />
          )
        }
      >
        {found.error.message}
      </Message>
    </div>
  )
}

/** Who has the link reads it; search engines need not. The server says so too, for those that run no script. */
function useNoIndex(): void {
  useEffect(() => {
    const tag = document.createElement('meta')
    tag.name = 'robots'
    tag.content = 'noindex'
    document.head.append(tag)
    return () => tag.remove()
  }, [])
}
