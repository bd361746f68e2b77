import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  createBrowserRouter,
  Outlet,
  type RouteObject,
  redirectDocument,
  useLocation,
  useNavigation,
} from 'react-router'
import { mayRecord, URL_PATTERNS, URLS } from '../../platform/urls.ts'
import { knowScreens } from '../../platform/web/screens.ts'
import { useSession } from '../../platform/web/session.tsx'
import { Redirect } from '../../platform/web/ui/redirect.tsx'
import { Spinner } from '../../platform/web/ui/spinner.tsx'
import { isLedBackTo } from '../../platform/web/way-back.ts'
import { waysInto } from '../../practice/categories.ts'
import { RouteError } from './route-error.tsx'
import { Shell } from './shell.tsx'

/**
 * The top of everything: scrolls up on every change of route (product 1.5.3), and says the new
 * page's title to who can't see it change.
 */
function Root() {
  const { pathname } = useLocation()
  const [announced, setAnnounced] = useState('')
  const shownPath = useRef(pathname)
  // Before the paint, so that no page is seen at the old one's height.
  useLayoutEffect(() => {
    // Going back counts as a change of route too; the browser would restore the old height.
    history.scrollRestoration = 'manual'
    if (shownPath.current !== pathname) window.scrollTo(0, 0)
  }, [pathname])
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

/**
 * Every route but /, /auth and the not-found page needs a signed-in user (product 1.5.1).
 * Another person's session starts every screen anew. Who comes signed out by a society's mail is led back
 * (product 2.2.6); who signs out here is not.
 */
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

/**
 * / inside the application: signed in to the dashboard (product 1.4.1); for visitors it is a page
 * of its own (pages/web/landing/), which the browser loads anew.
 */
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

/**
 * The society's pages are known only once one of them is opened: a student's first page does not list them.
 */
let areOrganiserRoutesKnown = false
async function learnRoutes({ path, patch }: { path: string; patch: Learn }): Promise<void> {
  if (areOrganiserRoutesKnown || !ORGANISERS_PATH.test(path)) return
  const { inside, outside } = await import('./organiser-routes.tsx')
  areOrganiserRoutesKnown = true
  patch(SIGNED_IN, inside)
  patch(EVERYBODY, outside)
}
type Learn = (routeId: string | null, children: RouteObject[]) => void
const ORGANISERS_PATH = /^\/(organise|fairness)(\/|$)/
/** Routes that others are added to. */
const EVERYBODY = 'everybody'
const SIGNED_IN = 'signed-in'

/** The path with which the browser loaded this document, whatever is shown in it since. */
const loadedPath = location.pathname

/**
 * What may be recorded is said by the headers with which a document came, and only those of answering aloud
 * allow the microphone (product 3.13.10): from elsewhere the browser loads the page anew.
 */
function openWithMicrophone({ request }: { request: Request }) {
  return mayRecord(loadedPath) ? null : redirectDocument(request.url)
}

/** The design system's page. What is built for production has neither the route nor its code. */
function developmentRoutes() {
  if (!import.meta.env.DEV) return []
  return [
    {
      path: '/dev/ui',
      lazy: async () => ({ Component: (await import('./dev/ui.tsx')).DevUi }),
    },
  ]
}

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
        {
          path: URLS.confirmEmail,
          lazy: async () => ({
            Component: (await import('../../accounts/web/address/confirm-email.tsx')).ConfirmEmail,
          }),
        },
        {
          id: SIGNED_IN,
          element: <RequireUser />,
          children: [
            {
              path: URLS.secondFactor,
              lazy: async () => ({
                Component: (await import('../../accounts/web/second-factor/second-factor-page.tsx'))
                  .SecondFactorPage,
              }),
            },
            // The quiz stands alone: one thing at a time, no navigation.
            {
              path: URL_PATTERNS.quiz,
              lazy: async () => ({
                Component: (await import('../../practice/web/quiz/quiz.tsx')).TestQuiz,
              }),
            },
            {
              path: URLS.quiz,
              lazy: async () => ({
                Component: (await import('../../practice/web/quiz/quiz.tsx')).ErrorQuiz,
              }),
            },
            {
              path: URLS.builtTest,
              lazy: async () => ({
                Component: (await import('../../practice/web/build/built-quiz.tsx')).BuiltQuiz,
              }),
            },
            // So does an answer that is spoken.
            {
              path: URL_PATTERNS.aloud,
              loader: openWithMicrophone,
              lazy: async () => ({
                Component: (await import('../../practice/web/aloud/answer-aloud.tsx')).AnswerAloud,
              }),
            },
            {
              path: URL_PATTERNS.caseScreen,
              lazy: async () => ({
                Component: (await import('../../practice/web/cases/case.tsx')).CaseScreen,
              }),
            },
            {
              path: URLS.due,
              lazy: async () => ({
                Component: (await import('../../practice/web/due/due.tsx')).Due,
              }),
            },
            {
              path: URL_PATTERNS.drill,
              lazy: async () => ({
                Component: (await import('../../practice/web/drill/drill.tsx')).DrillPage,
              }),
            },
            // So does a society's assessment.
            {
              path: URLS.recruitmentTest,
              lazy: async () => ({
                Component: (await import('../../assessments/web/test/test-page.tsx'))
                  .RecruitmentTest,
              }),
            },
            {
              element: <Shell />,
              children: [
                {
                  path: URLS.dashboard,
                  lazy: async () => ({
                    Component: (await import('./dashboard.tsx')).Dashboard,
                  }),
                },
                {
                  path: URL_PATTERNS.tests,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/tests/tests.tsx')).Tests,
                  }),
                },
                {
                  path: URL_PATTERNS.errorPractice,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/error-practice.tsx'))
                      .ErrorPractice,
                  }),
                },
                {
                  path: URL_PATTERNS.results,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/results/results.tsx')).Results,
                  }),
                },
                {
                  path: URLS.errorResults,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/results/results.tsx')).Results,
                  }),
                },
                {
                  path: URLS.formulaSheet,
                  lazy: async () => ({
                    Component: (await import('../../pages/web/formula-sheet.tsx')).FormulaSheet,
                  }),
                },
                {
                  path: URLS.aloud,
                  loader: openWithMicrophone,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/aloud/prompt-list.tsx'))
                      .PromptList,
                  }),
                },
                {
                  path: URLS.plan,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/plan/plan.tsx')).PlanPage,
                  }),
                },
                {
                  path: URLS.build,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/build/build.tsx')).BuildTest,
                  }),
                },
                {
                  path: URLS.cases,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/cases/cases.tsx')).Cases,
                  }),
                },
                {
                  path: URLS.dueDone,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/due/due-done.tsx')).DueDone,
                  }),
                },
                {
                  path: URLS.drills,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/drill/drills.tsx')).Drills,
                  }),
                },
                {
                  path: URL_PATTERNS.drillEnd,
                  lazy: async () => ({
                    Component: (await import('../../practice/web/drill/end/drill-end.tsx'))
                      .DrillEnd,
                  }),
                },
                {
                  path: URLS.personalHub,
                  lazy: async () => ({
                    Component: (await import('./personal-hub.tsx')).PersonalHub,
                  }),
                },
                {
                  path: URLS.about,
                  lazy: async () => ({
                    Component: (await import('../../pages/web/about.tsx')).About,
                  }),
                },
                {
                  path: URLS.faq,
                  lazy: async () => ({
                    Component: (await import('../../pages/web/faq.tsx')).Faq,
                  }),
                },
                {
                  path: URLS.careerHub,
                  lazy: async () => {
                    const { CareerHub } = await import('../../pages/web/career-hub.tsx')
                    return { Component: () => <CareerHub waysInto={waysInto} /> }
                  },
                },
                {
                  path: URLS.feedback,
                  lazy: async () => ({
                    Component: (await import('../../pages/web/feedback.tsx')).Feedback,
                  }),
                },
                {
                  path: URLS.recruitmentResources,
                  lazy: async () => ({
                    Component: (await import('../../pages/web/recruitment-resources.tsx'))
                      .RecruitmentResources,
                  }),
                },
                {
                  path: URLS.recruitment,
                  lazy: async () => ({
                    Component: (await import('../../assessments/web/society-list.tsx')).Recruitment,
                  }),
                },
                {
                  path: URLS.recruitmentInstructions,
                  lazy: async () => ({
                    Component: (await import('../../assessments/web/instructions.tsx'))
                      .RecruitmentInstructions,
                  }),
                },
              ],
            },
          ],
        },
        {
          path: URLS.stopReminders,
          lazy: async () => ({
            Component: (await import('../../practice/web/plan/stop-reminders.tsx')).StopReminders,
          }),
        },
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
        ...developmentRoutes(),
        {
          // Outside the guard, but with the navigation for who is signed in.
          element: <Shell />,
          children: [
            {
              path: '*',
              lazy: async () => ({
                Component: (await import('../../pages/web/not-found.tsx')).NotFound,
              }),
            },
          ],
        },
      ],
    },
  ],
  { patchRoutesOnNavigation: learnRoutes },
)

knowScreens(router.routes)
