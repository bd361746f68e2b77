import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { societyUrl } from '../../../platform/urls.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { Section, Top } from '../../kit/web/section.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { Loaded } from '../../kit/web/loaded.tsx'
import { ownZoneWords } from '../../kit/web/own-zone.ts'
import { zoneName } from '../../kit/zone-time.ts'
import { listChecklists } from '../contract-overview.ts'
import { AssessmentRow, COLUMNS } from './assessment-row.tsx'
import { LOOK_MS, type Surveyed } from './checklist-links.tsx'

/** /organise/:society: the assessments under their seasons (product 7.8.1). */
export function AssessmentsPage() {
  const { society } = useSociety()
  const nowMs = useNowMs(1_000)
  const found = useEndpoint(
    listChecklists,
    { params: { society: society.id } },
    { staleTime: 0, every: LOOK_MS },
  )
  return (
    <Loaded of={found} name="assessments">
      {(list) => <List list={list} nowMs={nowMs} />}
    </Loaded>
  )
}

function List(props: { list: ResponseOf<typeof listChecklists>; nowMs: number }) {
  const { society } = useSociety()
  const { nowMs } = props
  const { headline, assessments, mayCreate } = props.list
  const newUrl = (from: string) => `${societyUrl(society.id, 'new')}?from=${from}`
  if (assessments.length === 0) {
    return (
      <Top title="Assessments" headline={headline}>
        {mayCreate ? (
          <>
            Start from a file, or with an empty assessment.
            <span className="mt-5 flex flex-wrap gap-2">
              <Link to={newUrl('file')} className="btn btn-ghost">
                From a file
              </Link>
              <Link to={newUrl('empty')} className="btn">
                An empty one
              </Link>
            </span>
          </>
        ) : (
          'Ask an owner or an author to create one.'
        )}
      </Top>
    )
  }
  const own = ownZoneWords(nowMs, society.timeZone)
  return (
    <>
      <Top
        title="Assessments"
        headline={headline}
        acts={
          mayCreate && (
            <>
              <Link to={newUrl('copy')} className="btn btn-ghost">
                Copy a test
              </Link>
              <Link to={newUrl('empty')} className="btn">
                <Plus size={15} aria-hidden />
                New assessment
              </Link>
            </>
          )
        }
      >
        Times are {zoneName(society.timeZone)} time, the society’s zone, unless another zone is
        shown.{own && ` ${own}; your time is shown too when the day is near.`}
      </Top>
      {/* As the server orders them, the newest first. */}
      {[...new Set(assessments.map((one) => one.season))].map((season, index) => (
        <Season
          key={season ?? ''}
          season={season}
          list={assessments.filter((one) => one.season === season)}
          nowMs={nowMs}
          isFirst={index === 0}
        />
      ))}
    </>
  )
}

function Season(props: {
  season: string | null
  list: Surveyed[]
  nowMs: number
  isFirst: boolean
}) {
  const { season, list, nowMs } = props
  const { timeZone } = useSociety().society
  const candidates = list.reduce((sum, one) => sum + one.candidateCount, 0)
  return (
    <Section
      title={season ?? 'Without a season'}
      hint={`${countOf(list.length, 'assessment')} · ${countOf(candidates, 'candidate')}`}
      className="mt-10"
    >
      {props.isFirst && (
        <div
          aria-hidden
          className={`hidden border-line border-b pt-2.5 pb-2 text-[12.5px] text-ink-2 ${COLUMNS}`}
        >
          <span>Assessment</span>
          <span>State</span>
          <span>Can be started, {zoneName(timeZone)}</span>
          <span>Candidates</span>
          <span>Checklist</span>
          <span>What is next</span>
        </div>
      )}
      <ul>
        {list.map((one) => (
          <AssessmentRow key={one.code} one={one} nowMs={nowMs} />
        ))}
      </ul>
    </Section>
  )
}
