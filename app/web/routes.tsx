import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  createBrowserRouter,
  Outlet,
  type RouteObject,
  redirectDocument,
  useLocation,
  useNavigation,
  useRouteError,
} from 'react-router'
import { mayRecord, URL_PATTERNS, URLS } from '../../platform/urls.ts'
import { connectivity, useOffline } from '../../platform/web/connection/connectivity.ts'
import { knowScreens } from '../../platform/web/screens.ts'
import { useSession } from '../../platform/web/session.tsx'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { Redirect, Spinner } from '../../platform/web/ui/skeleton.tsx'
import { isLedBackTo } from '../../platform/web/way-back.ts'
import { waysInto } from '../../practice/categories.ts'
import { fetchTodayAhead } from '../../practice/web/ahead.ts'
import { Shell } from './shell.tsx'

/** Scrolls to the top on every route change (product 1.5.3) and announces the new title to screen readers. */
function Root() {
  const { pathname, hash } = useLocation()
  const [announced, setAnnounced] = useState('')
  const shownPath = useRef(pathname)
  // Runs before the paint, so that no page appears at the old scroll position.
  useLayoutEffect(() => {
    // Going back is a route change too, but the browser would restore the old position.
    history.scrollRestoration = 'manual'
    if (shownPath.current === pathname) return
    const part = hash && document.getElementById(hash.slice(1))
    if (part) part.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [pathname, hash])
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    // The screen's effects have already run, so the title is the new page's.
    setAnnounced(document.title)
  }, [pathname])
  return (
    <>
      <PendingLine />
      <Outlet />
      <div role="status" className="sr-only">
        {announced}
      </div>
    </>
  )
}

/** A line at the top while the next screen's code loads. It appears with a delay. */
function PendingLine() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <div aria-hidden className="pending-line" />
}

/** Requires a signed-in user (product 1.5.1). Another one restarts every screen; mail links return here (2.2.6). */
function RequireUser() {
  const session = useSession()
  const { pathname } = useLocation()
  const wasSignedIn = useRef(false)
  if (session.status === 'loading') return <Spinner />
  if (session.status === 'signed-out') {
    const isLedBack = !wasSignedIn.current && isLedBackTo(pathname)
    return <Redirect to={URLS.auth} state={isLedBack ? pathname : undefined} />
  }
  wasSignedIn.current = true
  return <Outlet key={session.user.id} />
}

/** For signed-in users, / is the dashboard (product 1.4.1). Visitors get another document, which is loaded. */
function Landing() {
  const session = useSession()
  if (session.status === 'signed-in') return <Redirect to={URLS.dashboard} />
  return session.status === 'signed-out' ? <LeaveForLanding /> : <Spinner />
}

function LeaveForLanding() {
  useEffect(() => {
    location.replace(URLS.landing)
  }, [])
  return <Spinner />
}

/** Loaded on first use, so that a student's first page doesn't include the societies' routes. */
let areOrganizerRoutesKnown = false
async function learnRoutes({ path, patch }: { path: string; patch: Learn }): Promise<void> {
  if (areOrganizerRoutesKnown || !ORGANIZERS_PATH.test(path)) return
  const { inside, outside } = await import('./organizer-routes.tsx')
  areOrganizerRoutesKnown = true
  patch(SIGNED_IN, inside)
  patch(EVERYBODY, outside)
}
type Learn = (routeId: string | null, children: RouteObject[]) => void
const ORGANIZERS_PATH = /^\/(organise|fairness)(\/|$)/
/** The id of the parent of routes that are added later. */
const EVERYBODY = 'everybody'
const SIGNED_IN = 'signed-in'

/** The path of this document when the browser loaded it. */
const loadedPath = location.pathname

/** Only documents for spoken answers allow the microphone (product 3.13.10), so other pages are reloaded. */
function openWithMicrophone({ request }: { request: Request }) {
  return mayRecord(loadedPath) ? null : redirectDocument(request.url)
}

/** A screen whose code is loaded on first use. */
function screen<Name extends string>(
  path: string,
  load: () => Promise<Record<NoInfer<Name>, ComponentType>>,
  name: Name,
): RouteObject {
  return { path, lazy: async () => ({ Component: (await load())[name] }) }
}

/** Screens for signed-in users without navigation. */
const alone: RouteObject[] = [
  screen(
    URLS.secondFactor,
    () => import('../../accounts/web/second-factor/second-factor-page.tsx'),
    'SecondFactorPage',
  ),
  // The quiz has no navigation, so that users focus on one thing.
  screen(URL_PATTERNS.quiz, () => import('../../practice/web/quiz/quiz.tsx'), 'TestQuiz'),
  screen(URLS.quiz, () => import('../../practice/web/quiz/quiz.tsx'), 'ErrorQuiz'),
  screen(URLS.builtTest, () => import('../../practice/web/build/built-quiz.tsx'), 'BuiltQuiz'),
  // Spoken answers have none either.
  {
    ...screen(
      URL_PATTERNS.aloud,
      () => import('../../practice/web/aloud/answer-aloud.tsx'),
      'AnswerAloud',
    ),
    loader: openWithMicrophone,
  },
  screen(URL_PATTERNS.caseScreen, () => import('../../practice/web/cases/case.tsx'), 'CaseScreen'),
  screen(URLS.due, () => import('../../practice/web/due/due.tsx'), 'Due'),
  screen(URL_PATTERNS.drill, () => import('../../practice/web/drill/drill.tsx'), 'DrillPage'),
  // A society's assessment has none either.
  screen(
    URLS.recruitmentTest,
    () => import('../../assessments/web/test/test-page.tsx'),
    'RecruitmentTest',
  ),
]

/** Screens for signed-in users with navigation. */
const withNavigation: RouteObject[] = [
  {
    ...screen(URLS.dashboard, () => import('./dashboard.tsx'), 'Dashboard'),
    // Loads the data alongside the code.
    loader: fetchTodayAhead,
  },
  screen(URLS.practice, () => import('../../practice/web/practice.tsx'), 'Practice'),
  screen(URL_PATTERNS.tests, () => import('../../practice/web/tests/tests.tsx'), 'Tests'),
  screen(
    URL_PATTERNS.errorPractice,
    () => import('../../practice/web/error-practice.tsx'),
    'ErrorPractice',
  ),
  screen(URL_PATTERNS.results, () => import('../../practice/web/results/results.tsx'), 'Results'),
  screen(URLS.errorResults, () => import('../../practice/web/results/results.tsx'), 'Results'),
  screen(URLS.formulaSheet, () => import('../../pages/web/formula-sheet.tsx'), 'FormulaSheet'),
  {
    ...screen(URLS.aloud, () => import('../../practice/web/aloud/prompt-list.tsx'), 'PromptList'),
    loader: openWithMicrophone,
  },
  screen(URLS.plan, () => import('../../practice/web/plan/plan.tsx'), 'PlanPage'),
  screen(URLS.build, () => import('../../practice/web/build/build.tsx'), 'BuildTest'),
  screen(URLS.superday, () => import('../../practice/web/superday/superdays.tsx'), 'Superdays'),
  {
    path: URL_PATTERNS.superday,
    lazy: async () => {
      const [{ EveningPage }, { useBeginSuperdayTest }] = await Promise.all([
        import('../../practice/web/superday/evening.tsx'),
        import('../../assessments/web/superday/begin-superday-test.ts'),
      ])
      return { Component: () => <EveningPage useBeginTest={useBeginSuperdayTest} /> }
    },
  },
  screen(
    URL_PATTERNS.superdayReport,
    () => import('../../practice/web/superday/evening-report.tsx'),
    'EveningReport',
  ),
  screen(URLS.cases, () => import('../../practice/web/cases/cases.tsx'), 'Cases'),
  screen(URLS.dueDone, () => import('../../practice/web/due/due-done.tsx'), 'DueDone'),
  screen(URLS.drills, () => import('../../practice/web/drill/drills.tsx'), 'Drills'),
  screen(
    URL_PATTERNS.drillEnd,
    () => import('../../practice/web/drill/end/drill-end.tsx'),
    'DrillEnd',
  ),
  screen(URLS.personalHub, () => import('./personal-hub.tsx'), 'PersonalHub'),
  screen(URLS.about, () => import('../../pages/web/about.tsx'), 'About'),
  screen(URLS.faq, () => import('../../pages/web/faq.tsx'), 'Faq'),
  {
    path: URLS.careerHub,
    lazy: async () => {
      const { CareerHub } = await import('../../pages/web/career-hub.tsx')
      return { Component: () => <CareerHub waysInto={waysInto} /> }
    },
  },
  screen(URLS.feedback, () => import('../../pages/web/feedback.tsx'), 'Feedback'),
  screen(
    URLS.recruitmentResources,
    () => import('../../pages/web/recruitment-resources.tsx'),
    'RecruitmentResources',
  ),
  screen(URLS.recruitment, () => import('../../assessments/web/society-list.tsx'), 'Recruitment'),
  screen(
    URLS.recruitmentInstructions,
    () => import('../../assessments/web/instructions.tsx'),
    'RecruitmentInstructions',
  ),
]

export const router = createBrowserRouter(
  [
    {
      id: EVERYBODY,
      element: <Root />,
      HydrateFallback: Spinner,
      ErrorBoundary: RouteError,
      children: [
        { path: URLS.landing, element: <Landing /> },
        {
          path: URLS.auth,
          lazy: async () => {
            const [{ Auth }, { CandidateWayIn }] = await Promise.all([
              import('../../accounts/web/auth.tsx'),
              import('../../assessments/web/candidate-way-in.tsx'),
            ])
            return { Component: () => <Auth WayIn={CandidateWayIn} /> }
          },
        },
        screen(
          URLS.confirmEmail,
          () => import('../../accounts/web/address/confirm-email.tsx'),
          'ConfirmEmail',
        ),
        {
          id: SIGNED_IN,
          element: <RequireUser />,
          children: [...alone, { element: <Shell />, children: withNavigation }],
        },
        screen(
          URLS.stopReminders,
          () => import('../../practice/web/plan/stop-reminders.tsx'),
          'StopReminders',
        ),
        {
          path: URLS.rehearsal,
          lazy: async () => {
            const [{ Rehearsal }, { signInAsGuest }] = await Promise.all([
              import('../../assessments/web/rehearsal/rehearsal-page.tsx'),
              import('../../accounts/web/auth-guest.ts'),
            ])
            return { Component: () => <Rehearsal signInAsGuest={signInAsGuest} /> }
          },
        },
        {
          // Outside the guard, but with navigation for signed-in users.
          element: <Shell />,
          children: [screen('*', () => import('../../pages/web/not-found.tsx'), 'NotFound')],
        },
      ],
    },
  ],
  { patchRoutesOnNavigation: learnRoutes },
)

knowScreens(router.routes)

/** How browsers report that a chunk couldn't be loaded. */
const CHUNK_FAILURE =
  /dynamically imported module|importing a module script failed|unable to preload css/i

/** Replaces a screen that failed, usually after a new version. Reloading fixes that (product 1.5.6). */
function RouteError() {
  const error = useRouteError()
  const isChunk = error instanceof Error && CHUNK_FAILURE.test(error.message)
  const isCutOff = useReloadWhenBack(isChunk)
  useTitle(isChunk ? 'Please reload' : 'Something went wrong')
  return (
    <main className="wrap wrap-narrow py-16 nav:py-24">
      <h1>{isChunk ? 'This page could not be loaded' : 'Something went wrong'}</h1>
      <p role="status" className="mt-5 max-w-[56ch] text-ink-2">
        {isCutOff
          ? 'Superday cannot be reached right now. This page loads by itself once you are back online. Your finished work is not lost.'
          : isChunk
            ? 'Superday may have been updated while you were here, or the connection was lost. Reloading usually helps. Your finished work is not lost.'
            : 'An unexpected error occurred. Please try again. Your finished work is not lost.'}
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <button type="button" className="btn" onClick={() => location.reload()}>
          Reload
        </button>
        <a href={URLS.landing} className="btn btn-ghost">
          Back to home
        </a>
      </div>
    </main>
  )
}

/** Reloads once the server is back, but not if it was never away, which could loop. Returns whether it is away. */
function useReloadWhenBack(isWatching: boolean): boolean {
  const isOffline = useOffline()
  useEffect(() => {
    if (!isWatching) return
    let wasAway = connectivity.isOffline()
    if (!wasAway) void connectivity.check()
    return connectivity.subscribe(() => {
      if (connectivity.isOffline()) wasAway = true
      else if (wasAway) location.reload()
    })
  }, [isWatching])
  return isWatching && isOffline
}
