import type { ComponentType } from 'react'
import { type RouteObject, redirect } from 'react-router'
import { assessmentUrl, societyUrl, URL_PATTERNS, URLS } from '../../platform/urls.ts'
import { Redirect } from '../../platform/web/ui/skeleton.tsx'

export const frame = () => import('../kit/web/console/console.tsx')

/** Loads the frame, including how an account proves its identity (ConsoleRoot). */
type Root = () => Promise<{ Component: ComponentType }>

/**
 * Makes a route whose page loads only when it is opened.
 * @param path '' is the index page of its parent
 */
function page<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): RouteObject {
  const lazy = async () => ({ Component: (await load())[name] })
  return path === '' ? { index: true, lazy } : { path, lazy }
}

const moved = (path: string, to = '..'): RouteObject => ({ path, element: <Redirect to={to} /> })

/** These routes are outside of the guard, because invited people and readers of the help may have no account yet. */
export const openConsoleRoutes = (root: Root): RouteObject => ({
  lazy: root,
  children: [
    page(
      URLS.organizeInvitation,
      () => import('../access/web/invitation-page.tsx'),
      'InvitationPage',
    ),
    page(URLS.organizeHelp, () => import('../kit/web/console/help-page.tsx'), 'HelpPage'),
  ],
})

/** The public fairness report of a test, outside of the guard and without the console. */
export const fairnessRoute: RouteObject = page(
  URL_PATTERNS.fairness,
  () => import('../results/web/fairness/fairness-page.tsx'),
  'FairnessPage',
)

const societyPages: RouteObject[] = [
  page('', () => import('../setup/web/assessments-page.tsx'), 'AssessmentsPage'),
  page('new', () => import('../setup/web/new-assessment.tsx'), 'NewAssessment'),
  page('team', () => import('../access/web/team-page.tsx'), 'Team'),
  page('log', () => import('../log/web/log-page.tsx'), 'LogPage'),
  page('settings', () => import('../setup/web/society-page.tsx'), 'SocietySettings'),
  moved('seasons'),
  moved('seasons/card'),
]

const testPages: RouteObject[] = [
  page('', () => import('../overview/web/overview-page.tsx'), 'Overview'),
  page('settings', () => import('../setup/web/settings-page.tsx'), 'AssessmentSettings'),
  page('questions', () => import('../questions/web/questions-page.tsx'), 'Questions'),
  page(
    'questions/import',
    () => import('../questions/web/import/import-page.tsx'),
    'ImportQuestions',
  ),
  {
    path: 'questions/check',
    // This old address is still in emails and bookmarks.
    loader: ({ params: { society = '', code = '' } }) =>
      redirect(`${assessmentUrl(society, code, 'questions')}?keys=hidden`),
  },
  page('candidates', () => import('../candidates/web/candidates-page.tsx'), 'Candidates'),
  page('candidates/add', () => import('../candidates/web/add-candidates.tsx'), 'AddCandidates'),
  page('candidates/slips', () => import('../candidates/web/slips-page.tsx'), 'Slips'),
  page('live', () => import('../live/web/live-page.tsx'), 'Live'),
  page('incidents', () => import('../incidents/web/incidents-page.tsx'), 'Incidents'),
  page(
    'incidents/:candidate',
    () => import('../incidents/web/candidate-page.tsx'),
    'CandidateFile',
  ),
  page(
    'incidents/of/:listed',
    () => import('../incidents/web/candidate-page.tsx'),
    'CandidateOfList',
  ),
  {
    lazy: async () => ({
      Component: (await import('../results/web/result-views.tsx')).ResultViews,
    }),
    children: [
      page('results', () => import('../results/web/results-page.tsx'), 'Results'),
      page('analysis', () => import('../results/web/analysis/analysis-page.tsx'), 'Analysis'),
    ],
  },
  page('fairness', () => import('../results/web/fairness/preview-page.tsx'), 'FairnessPreview'),
  page('analysis/:item', () => import('../results/web/analysis/ruling-page.tsx'), 'RulingPage'),
  moved('sessions', '../incidents'),
  moved('card'),
  moved('rehearsal'),
]

export const consoleRoutes = (root: Root): RouteObject => ({
  lazy: root,
  children: [
    page(URLS.organize, () => import('../access/web/my-societies.tsx'), 'MySocieties'),
    {
      path: URL_PATTERNS.society,
      lazy: async () => ({ Component: (await frame()).SocietyPages }),
      children: [
        { lazy: async () => ({ Component: (await frame()).SocietyFrame }), children: societyPages },
        {
          // The log of one test is the society's log with a filter.
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
