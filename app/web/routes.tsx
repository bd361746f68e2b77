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

/** Scrolls up on every change of route (product 1.5.3) and tells screen readers the new page's title. */
function Root() {
  const { pathname, hash } = useLocation()
  const [announced, setAnnounced] = useState('')
  const shownPath = useRef(pathname)
  // Before the paint, so that no page is seen at the old one's height.
  useLayoutEffect(() => {
    // Going back counts as a change of route too; the browser would restore the old height.
    history.scrollRestoration = 'manual'
    if (shownPath.current === pathname) return
    const part = hash && document.getElementById(hash.slice(1))
    if (part) part.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [pathname, hash])
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    // The screens' effects ran before this one: the title is the new page's.
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

/** A line on top while the next screen's code is fetched; not seen when that is quick. */
function PendingLine() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <div aria-hidden className="pending-line" />
}

/** Needs a signed-in user (product 1.5.1). Another person starts every screen again; mail links lead back here (2.2.6). */
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

/** Signed in, / is the dashboard (product 1.4.1); for visitors it is another document, which the browser loads. */
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

/** Loaded when first opened: a student's first page does not list the society's pages. */
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
/** Routes that others are added to. */
const EVERYBODY = 'everybody'
const SIGNED_IN = 'signed-in'

/** The path with which the browser loaded this document, whatever is shown in it since. */
const loadedPath = location.pathname

/** Only documents of answering aloud allow the microphone (product 3.13.10): from elsewhere the page is loaded again. */
function openWithMicrophone({ request }: { request: Request }) {
  return mayRecord(loadedPath) ? null : redirectDocument(request.url)
}

/** A screen whose code is fetched when it is first asked for. */
function screen<Name extends string>(
  path: string,
  load: () => Promise<Record<NoInfer<Name>, ComponentType>>,
  name: Name,
): RouteObject {
  return { path, lazy: async () => ({ Component: (await load())[name] }) }
}

/** For who is signed in: one thing at a time, no navigation. */
const alone: RouteObject[] = [
  screen(
    URLS.secondFactor,
    () => import('../../accounts/web/second-factor/second-factor-page.tsx'),
    'SecondFactorPage',
  ),
  // The quiz stands alone: one thing at a time, no navigation.
  screen(URL_PATTERNS.quiz, () => import('../../practice/web/quiz/quiz.tsx'), 'TestQuiz'),
  screen(URLS.quiz, () => import('../../practice/web/quiz/quiz.tsx'), 'ErrorQuiz'),
  screen(URLS.builtTest, () => import('../../practice/web/build/built-quiz.tsx'), 'BuiltQuiz'),
  // So does an answer that is spoken.
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
  // So does a society's assessment.
  screen(
    URLS.recruitmentTest,
    () => import('../../assessments/web/test/test-page.tsx'),
    'RecruitmentTest',
  ),
]

/** For who is signed in. */
const withNavigation: RouteObject[] = [
  {
    ...screen(URLS.dashboard, () => import('./dashboard.tsx'), 'Dashboard'),
    // Beside its code.
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
          // Outside the guard, but with the navigation for who is signed in.
          element: <Shell />,
          children: [screen('*', () => import('../../pages/web/not-found.tsx'), 'NotFound')],
        },
      ],
    },
  ],
  { patchRoutesOnNavigation: learnRoutes },
)

knowScreens(router.routes)

/** How the browsers say that a part of the application could not be fetched. */
const CHUNK_FAILURE =
  /dynamically imported module|importing a module script failed|unable to preload css/i

/** What stands where a screen failed, mostly after a new version: reloading brings that (product 1.5.6). */
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

/** Reloads once the server is back, not where it never left: that could loop. Returns whether it is away. */
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
