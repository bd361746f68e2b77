import type { ComponentType } from 'react'
import { type RouteObject, redirect } from 'react-router'
import { assessmentUrl, societyUrl, URL_PATTERNS, URLS } from '../../platform/urls.ts'
import { Redirect } from '../../platform/web/ui/redirect.tsx'

export const frame = () => import('./console/console.tsx')

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
      async () => (await import('./team/invitation-page.tsx')).InvitationPage,
    ),
    page(URLS.organiseHelp, async () => (await import('./console/help-page.tsx')).HelpPage),
  ],
})

/** A test's fairness report, for everybody: outside of the guard, and without the console. */
export const fairnessRoute: RouteObject = page(
  URL_PATTERNS.fairness,
  async () => (await import('./fairness/fairness-page.tsx')).FairnessPage,
)

const societyPages: RouteObject[] = [
  page('', async () => (await import('./assessments/assessments-page.tsx')).AssessmentsPage),
  page('new', async () => (await import('./assessments/new-assessment.tsx')).NewAssessment),
  page('team', async () => (await import('./team/team-page.tsx')).Team),
  page('log', async () => (await import('./log/log-page.tsx')).LogPage),
  page('settings', async () => (await import('./team/society-page.tsx')).SocietySettings),
  { path: 'seasons', element: <Redirect to=".." /> },
  { path: 'seasons/card', element: <Redirect to=".." /> },
]

const testPages: RouteObject[] = [
  page('', async () => (await import('./overview/overview-page.tsx')).Overview),
  page(
    'settings',
    async () => (await import('./assessments/settings-page.tsx')).AssessmentSettings,
  ),
  page('questions', async () => (await import('./questions/questions-page.tsx')).Questions),
  page(
    'questions/import',
    async () => (await import('./questions/import/import-page.tsx')).ImportQuestions,
  ),
  {
    path: 'questions/check',
    // The old address, in mails and bookmarks.
    loader: ({ params: { society = '', code = '' } }) =>
      redirect(`${assessmentUrl(society, code, 'questions')}?keys=hidden`),
  },
  page('candidates', async () => (await import('./candidates/candidates-page.tsx')).Candidates),
  page(
    'candidates/add',
    async () => (await import('./candidates/add-candidates.tsx')).AddCandidates,
  ),
  page('candidates/slips', async () => (await import('./candidates/slips-page.tsx')).Slips),
  page('live', async () => (await import('./live/live-page.tsx')).Live),
  page('incidents', async () => (await import('./incidents/incidents-page.tsx')).Incidents),
  page(
    'incidents/:candidate',
    async () => (await import('./incidents/candidate-page.tsx')).CandidateFile,
  ),
  page('results', async () => (await import('./results/results-page.tsx')).Results),
  page('fairness', async () => (await import('./fairness/preview-page.tsx')).FairnessPreview),
  page('analysis', async () => (await import('./analysis/analysis-page.tsx')).Analysis),
  page('analysis/:item', async () => (await import('./analysis/ruling-page.tsx')).RulingPage),
  // Old addresses.
  { path: 'sessions', element: <Redirect to="../incidents" /> },
  { path: 'card', element: <Redirect to=".." /> },
  { path: 'rehearsal', element: <Redirect to=".." /> },
]

/** The society's side. */
export const consoleRoutes = (root: Root): RouteObject => ({
  lazy: root,
  children: [
    page(URLS.organise, async () => (await import('./team/my-societies.tsx')).MySocieties),
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
