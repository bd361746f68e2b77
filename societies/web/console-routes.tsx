import type { ComponentType } from 'react'
import { type RouteObject, redirect } from 'react-router'
import { assessmentUrl, societyUrl, URL_PATTERNS, URLS } from '../../platform/urls.ts'
import { Redirect } from '../../platform/web/ui/skeleton.tsx'

export const frame = () => import('../kit/web/console/console.tsx')

/** The frame with how an account proves who it is (console/proof.tsx). */
type Root = () => Promise<{ Component: ComponentType }>

/** A page, fetched only when it is opened. @param path '' is the first one of those around it */
const page = (path: string, load: () => Promise<ComponentType>): RouteObject => {
  const lazy = async () => ({ Component: await load() })
  return path === '' ? { index: true, lazy } : { path, lazy }
}

/** Outside of the guard: invited people, and readers of the help, may have no account yet. */
export const openConsoleRoutes = (root: Root): RouteObject => ({
  lazy: root,
  children: [
    page(
      URLS.organiseInvitation,
      async () => (await import('../access/web/invitation-page.tsx')).InvitationPage,
    ),
    page(
      URLS.organiseHelp,
      async () => (await import('../kit/web/console/help-page.tsx')).HelpPage,
    ),
  ],
})

/** A test's fairness report, for everybody: outside of the guard, and without the console. */
export const fairnessRoute: RouteObject = page(
  URL_PATTERNS.fairness,
  async () => (await import('../results/web/fairness/fairness-page.tsx')).FairnessPage,
)

const societyPages: RouteObject[] = [
  page('', async () => (await import('../setup/web/assessments-page.tsx')).AssessmentsPage),
  page('new', async () => (await import('../setup/web/new-assessment.tsx')).NewAssessment),
  page('team', async () => (await import('../access/web/team-page.tsx')).Team),
  page('log', async () => (await import('../log/web/log-page.tsx')).LogPage),
  page('settings', async () => (await import('../setup/web/society-page.tsx')).SocietySettings),
  { path: 'seasons', element: <Redirect to=".." /> },
  { path: 'seasons/card', element: <Redirect to=".." /> },
]

const testPages: RouteObject[] = [
  page('', async () => (await import('../overview/web/overview-page.tsx')).Overview),
  page('settings', async () => (await import('../setup/web/settings-page.tsx')).AssessmentSettings),
  page('questions', async () => (await import('../questions/web/questions-page.tsx')).Questions),
  page(
    'questions/import',
    async () => (await import('../questions/web/import/import-page.tsx')).ImportQuestions,
  ),
  {
    path: 'questions/check',
    // The old address, in mails and bookmarks.
    loader: ({ params: { society = '', code = '' } }) =>
      redirect(`${assessmentUrl(society, code, 'questions')}?keys=hidden`),
  },
  page(
    'candidates',
    async () => (await import('../candidates/web/candidates-page.tsx')).Candidates,
  ),
  page(
    'candidates/add',
    async () => (await import('../candidates/web/add-candidates.tsx')).AddCandidates,
  ),
  page('candidates/slips', async () => (await import('../candidates/web/slips-page.tsx')).Slips),
  page('live', async () => (await import('../live/web/live-page.tsx')).Live),
  page('incidents', async () => (await import('../incidents/web/incidents-page.tsx')).Incidents),
  page(
    'incidents/:candidate',
    async () => (await import('../incidents/web/candidate-page.tsx')).CandidateFile,
  ),
  page('results', async () => (await import('../results/web/results-page.tsx')).Results),
  page(
    'fairness',
    async () => (await import('../results/web/fairness/preview-page.tsx')).FairnessPreview,
  ),
  page(
    'analysis',
    async () => (await import('../results/web/analysis/analysis-page.tsx')).Analysis,
  ),
  page(
    'analysis/:item',
    async () => (await import('../results/web/analysis/ruling-page.tsx')).RulingPage,
  ),
  // Old addresses.
  { path: 'sessions', element: <Redirect to="../incidents" /> },
  { path: 'card', element: <Redirect to=".." /> },
  { path: 'rehearsal', element: <Redirect to=".." /> },
]

/** The society's side. */
export const consoleRoutes = (root: Root): RouteObject => ({
  lazy: root,
  children: [
    page(URLS.organise, async () => (await import('../access/web/my-societies.tsx')).MySocieties),
    {
      path: URL_PATTERNS.society,
      lazy: async () => ({ Component: (await frame()).SocietyPages }),
      children: [
        { lazy: async () => ({ Component: (await frame()).SocietyFrame }), children: societyPages },
        {
          // The log of one test is the society's with a filter.
          path: 'assessments/:code/log',
          loader: ({ params: { society = '', code = '' } }) =>
            redirect(`${societyUrl(society, 'log')}?${new URLSearchParams({ assessment: code })}`),
        },
        {
          path: 'assessments/:code',
          lazy: async () => ({ Component: (await frame()).AssessmentFrame }),
          children: testPages,
        },
      ],
    },
  ],
})
