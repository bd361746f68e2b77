import './console.css'
import { createContext, type ReactNode, use, useLayoutEffect } from 'react'
import { Outlet, useParams } from 'react-router'
import { spanUntil } from '../../../../platform/durations.ts'
import { assessmentUrl, societyUrl, URLS } from '../../../../platform/urls.ts'
import { ApiFailure } from '../../../../platform/web/api-failure.ts'
import { useEndpoint } from '../../../../platform/web/use-endpoint.ts'
import { STATE_WORDS, stateOf } from '../../assessment-state.ts'
import { getSocietyAssessment } from '../../contract.ts'
import type { Act } from '../../roles.ts'
import { zoneMoment, zoneTime } from '../../zone-time.ts'
import { Loaded } from '../loaded.tsx'
import { DeadEnd, Frame, MineLoaded, Standing } from './frame.tsx'
import { type ListedAssessment, type MySociety, mayBy, rolesFor, windowOf } from './queries.ts'
import { useNowMs } from './use-now.ts'

interface Place {
  society: MySociety
  /** Whether one of the member's roles allows an action at all. The server decides (societies/kit/roles.ts). */
  may: (act: Act) => boolean
}
const PlaceContext = createContext<Place | null>(null)
const AssessmentContext = createContext<ListedAssessment | null>(null)

export function useSociety(): Place {
  const place = use(PlaceContext)
  if (!place) throw new Error('Used outside of a society’s pages.')
  return place
}

export function useAssessment(): ListedAssessment {
  const assessment = use(AssessmentContext)
  if (!assessment) throw new Error('Used outside of an assessment’s pages.')
  return assessment
}

/** Re-authentication, provided by the application (accounts/web/second-factor). */
interface Proving {
  /** Redirects to the second-factor page if a page was rejected because the factor is missing. */
  useOrganizerGate: () => void
  /** Asks for re-authentication and repeats the request. Returns undefined if the user canceled. */
  useFreshProof: () => {
    withProof: <T>(work: () => Promise<T>) => Promise<T | undefined>
    proofDialog: ReactNode
  }
}

type WithProof = <T>(work: () => Promise<T>) => Promise<T>

const ProofContext = createContext<WithProof>((work) => work())

/** All pages below /organise, with their styles. Sensitive actions require re-authentication (product 7.13.3). */
export function ConsoleRoot({ useOrganizerGate, useFreshProof }: Proving) {
  useLayoutEffect(() => {
    document.documentElement.classList.add('console')
    return () => document.documentElement.classList.remove('console')
  }, [])
  useOrganizerGate()
  const { withProof, proofDialog } = useFreshProof()
  const orThrow: WithProof = async (work) => {
    const answer = await withProof(async () => ({ value: await work() }))
    if (!answer) {
      const message = 'Nothing was changed, because you did not confirm that it is you.'
      throw new ApiFailure(0, { code: 'no_proof', message })
    }
    return answer.value
  }
  return (
    <ProofContext value={orThrow}>
      <Outlet />
      {proofDialog}
    </ProofContext>
  )
}

/** Sends a request. If the server asks for re-authentication, it prompts the user and repeats the request. */
export const useProof = (): WithProof => use(ProofContext)

export function SocietyPages() {
  const { society: id } = useParams()
  return (
    <MineLoaded>
      {({ societies }) => {
        const society = societies.find((one) => one.id === id)
        return society ? (
          <PlaceContext value={{ society, may: mayBy(society.roles) }}>
            <Outlet />
          </PlaceContext>
        ) : (
          <Standing>
            <DeadEnd
              isError
              title="There is no such society, or you have no role in it"
              to={URLS.organize}
              link="Your societies"
            >
              If your role has just ended, an owner of the society can invite you again.
            </DeadEnd>
          </Standing>
        )
      }}
    </MineLoaded>
  )
}

export function SocietyFrame() {
  const { society, may } = useSociety()
  return (
    <Frame
      society={society}
      tabs={[
        { to: societyUrl(society.id), label: 'Assessments' },
        ...(may('manage_members') ? [{ to: societyUrl(society.id, 'team'), label: 'Team' }] : []),
        { to: societyUrl(society.id, 'log'), label: 'Log' },
        { to: societyUrl(society.id, 'settings'), label: 'Society' },
      ]}
      zone={society.timeZone}
    >
      <Outlet />
    </Frame>
  )
}

/** The pages of an assessment and the permission that each requires. */
const PAGES: readonly {
  page: string
  label: string
  act?: Act
  count?: 'itemCount' | 'candidateCount'
  /** Other pages that belong to the same tab. */
  also?: readonly string[]
}[] = [
  { page: '', label: 'Overview' },
  { page: 'questions', label: 'Questions', act: 'read_questions', count: 'itemCount' },
  { page: 'candidates', label: 'Candidates', act: 'manage_candidates', count: 'candidateCount' },
  { page: 'live', label: 'Live', act: 'watch_live' },
  { page: 'incidents', label: 'Incidents', act: 'report_incident' },
  { page: 'results', label: 'Results', act: 'see_scores', also: ['analysis', 'fairness'] },
  { page: 'settings', label: 'Settings', act: 'write_questions' },
]

export function AssessmentFrame() {
  const { society: whole } = useSociety()
  const { code = '' } = useParams()
  const society = { ...whole, roles: rolesFor(whole, code) }
  const may = mayBy(society.roles)
  const found = useEndpoint(
    getSocietyAssessment,
    { params: { society: society.id, code } },
    { every: (data) => data !== undefined && stateOf(data, Date.now()) === 'running' && 10_000 },
  )
  // Omits the society's name if the assessment's name repeats it, because the society is shown before it.
  const mastName = (assessment: ListedAssessment) => {
    const name = nameOfAssessment(assessment)
    return name === society.name ? code : name
  }
  const loaded = (
    <Loaded
      of={found}
      name="assessment"
      refused={({ status, message }) =>
        status === 404 && (
          <DeadEnd
            isError
            title="There is no such assessment"
            to={societyUrl(society.id)}
            link="All assessments"
          >
            {message}
          </DeadEnd>
        )
      }
    >
      {(assessment) => (
        <PlaceContext value={{ society, may }}>
          <AssessmentContext value={assessment}>
            <Frame
              society={society}
              name={mastName(assessment)}
              tabs={PAGES.filter(({ act }) => !act || may(act)).map(
                ({ page, label, count, also = [] }) => ({
                  to: assessmentUrl(society.id, code, page),
                  also: also.map((one) => assessmentUrl(society.id, code, one)),
                  label,
                  ...(count && { count: assessment[count] }),
                }),
              )}
              state={<StateLine assessment={assessment} />}
              zone={assessment.timeZone}
            >
              <Outlet />
            </Frame>
          </AssessmentContext>
        </PlaceContext>
      )}
    </Loaded>
  )
  if (!found.isLoadingError) return loaded
  return (
    <Frame
      society={society}
      tabs={[{ to: societyUrl(society.id), label: 'Assessments' }]}
      zone={society.timeZone}
    >
      {loaded}
    </Frame>
  )
}

/** Returns 'Autumn 2026, Morning', or the name that candidates see if neither is set. */
export const nameOfAssessment = (
  one: Pick<ListedAssessment, 'society' | 'session' | 'season'>,
): string => [one.season, one.session].filter(Boolean).join(', ') || one.society

/** Shows the state and the next event: 'Preparing  opens Wed 25 Nov, 09:00 · in 1 d 21 h'. */
function StateLine({ assessment }: { assessment: ListedAssessment }) {
  const nowMs = useNowMs(1_000)
  const { timeZone } = assessment
  const { opensAtMs, closesAtMs, lastStartAtMs } = windowOf(assessment)
  const state = stateOf(assessment, nowMs)
  const next = () => {
    if (state === 'running' && closesAtMs !== null) {
      if (closesAtMs > nowMs) {
        return `last start ${zoneTime(closesAtMs, timeZone)} · in ${spanUntil(closesAtMs - nowMs)}`
      }
      return assessment.runningCount > 0 || lastStartAtMs === null
        ? `${assessment.runningCount} still taking the test`
        : `last start ${zoneMoment(lastStartAtMs, timeZone, nowMs)}`
    }
    if (state === 'closed' && lastStartAtMs !== null) {
      return `since ${zoneMoment(lastStartAtMs, timeZone, nowMs)}`
    }
    // The assessment is a draft or hasn't opened yet.
    return opensAtMs !== null && opensAtMs > nowMs
      ? `opens ${zoneMoment(opensAtMs, timeZone, nowMs)} · in ${spanUntil(opensAtMs - nowMs)}`
      : null
  }
  return (
    <p className="figures flex items-center gap-2 py-2 text-[13px] text-ink-2">
      <StateDot state={state} />
      <b className="font-semibold text-ink">{STATE_WORDS[state]}</b>
      {next()}
    </p>
  )
}

export function StateDot({ state }: { state: ReturnType<typeof stateOf> }) {
  const look = { draft: 'dot-open', preparing: 'dot-open', running: '', closed: 'dot-over' }[state]
  return <i aria-hidden className={`dot ${look}`} />
}
