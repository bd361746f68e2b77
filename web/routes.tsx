import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createBrowserRouter, Outlet, useLocation, useNavigation } from 'react-router'
import { URL_PATTERNS, URLS } from '../shared/urls.ts'
import { RouteError } from './screens/route-error.tsx'
import { useSession } from './session.tsx'
import { Shell } from './shell.tsx'
import { Redirect } from './ui/redirect.tsx'
import { Spinner } from './ui/spinner.tsx'

/**
 * The top of everything: scrolls up on every change of route (specification, section 2), and says the new
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
 * Every route but /, /auth and the not-found page needs a signed-in user (specification, section 2).
 * Another person's session starts every screen anew.
 */
function RequireUser() {
  const session = useSession()
  if (session.status === 'loading') return <Spinner />
  if (session.status === 'signed-out') return <Redirect to={URLS.auth} />
  return <Outlet key={session.user.id} />
}

/** / until the landing page exists: signed in to the dashboard, else to /auth. */
function Landing() {
  const session = useSession()
  if (session.status === 'loading') return <Spinner />
  return <Redirect to={session.status === 'signed-in' ? URLS.dashboard : URLS.auth} />
}

/** A screen that a later issue builds: its title, so that no link leads nowhere. */
const comingSoon = (title: string) => async () => {
  const { ComingSoon } = await import('./screens/coming-soon.tsx')
  return { element: <ComingSoon title={title} /> }
}

export const router = createBrowserRouter([
  {
    element: <Root />,
    HydrateFallback: Spinner,
    ErrorBoundary: RouteError,
    children: [
      { path: URLS.landing, element: <Landing /> },
      {
        path: URLS.auth,
        lazy: async () => ({ Component: (await import('./screens/auth.tsx')).Auth }),
      },
      {
        element: <RequireUser />,
        children: [
          // The quiz stands alone: one thing at a time, no navigation.
          {
            path: URL_PATTERNS.quiz,
            lazy: async () => ({ Component: (await import('./screens/quiz.tsx')).TestQuiz }),
          },
          {
            path: URLS.quiz,
            lazy: async () => ({ Component: (await import('./screens/quiz.tsx')).ErrorQuiz }),
          },
          {
            element: <Shell />,
            children: [
              {
                path: URLS.dashboard,
                lazy: async () => ({
                  Component: (await import('./screens/dashboard.tsx')).Dashboard,
                }),
              },
              {
                path: URL_PATTERNS.tests,
                lazy: async () => ({ Component: (await import('./screens/tests.tsx')).Tests }),
              },
              {
                path: URL_PATTERNS.errorPractice,
                lazy: async () => ({
                  Component: (await import('./screens/error-practice.tsx')).ErrorPractice,
                }),
              },
              {
                path: URL_PATTERNS.results,
                lazy: async () => ({ Component: (await import('./screens/results.tsx')).Results }),
              },
              {
                path: URLS.errorResults,
                lazy: async () => ({ Component: (await import('./screens/results.tsx')).Results }),
              },
              {
                path: URLS.personalHub,
                lazy: async () => ({
                  Component: (await import('./screens/personal-hub.tsx')).PersonalHub,
                }),
              },
              { path: URLS.about, lazy: comingSoon('About Us') },
              { path: URLS.faq, lazy: comingSoon('FAQ') },
              { path: URLS.careerHub, lazy: comingSoon('Career Hub') },
              { path: URLS.feedback, lazy: comingSoon('Feedback Hub') },
              { path: URLS.recruitmentResources, lazy: comingSoon('Recruitment Resources') },
              { path: URLS.recruitment, lazy: comingSoon('Society Assessments') },
              // Nobody holds a society's credential yet (specification, section 2).
              {
                path: URLS.recruitmentInstructions,
                element: <Redirect to={URLS.recruitment} />,
              },
              { path: URLS.recruitmentTest, element: <Redirect to={URLS.recruitment} /> },
            ],
          },
        ],
      },
      {
        // Outside the guard, but with the navigation for who is signed in.
        element: <Shell />,
        children: [
          {
            path: '*',
            lazy: async () => ({ Component: (await import('./screens/not-found.tsx')).NotFound }),
          },
        ],
      },
    ],
  },
])
