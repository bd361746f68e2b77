import type { ComponentType } from 'react'
import { type RouteObject, redirect } from 'react-router'
import { assessmentUrl, societyUrl, URL_PATTERNS, URLS } from '../../platform/urls.ts'
import { Redirect } from '../../platform/web/ui/redirect.tsx'

export const frame = () => import('./console/console.tsx')

/** The frame with how an account proves who it is (console/proof.tsx). */
type Root = () => Promise<{ Component: ComponentType }>

/** Outside of the guard: who is invited, or wants to know how a test is run, may have no account yet. */
export const openConsoleRoutes = (root: Root): RouteObject => ({
  lazy: root,
  children: [
    {
      path: URLS.organiseInvitation,
      lazy: async () => ({
        Component: (await import('./team/invitation-page.tsx')).InvitationPage,
      }),
    },
    {
      path: URLS.organiseHelp,
      lazy: async () => ({ Component: (await import('./console/help-page.tsx')).HelpPage }),
    },
  ],
})

/** A test's fairness report, for everybody: outside of the guard, and without the console. */
export const fairnessRoute: RouteObject = {
  path: URL_PATTERNS.fairness,
  lazy: async () => ({
    Component: (await import('./fairness/fairness-page.tsx')).FairnessPage,
  }),
}

/** The society's side, fetched only when it is opened. */
export const consoleRoutes = (root: Root): RouteObject => ({
  lazy: root,
  children: [
    {
      path: URLS.organise,
      lazy: async () => ({ Component: (await import('./team/my-societies.tsx')).MySocieties }),
    },
    {
      path: URL_PATTERNS.society,
      lazy: async () => ({ Component: (await frame()).SocietyPages }),
      children: [
        {
          lazy: async () => ({ Component: (await frame()).SocietyFrame }),
          children: [
            {
              index: true,
              lazy: async () => ({
                Component: (await import('./assessments/assessments-page.tsx')).AssessmentsPage,
              }),
            },
            {
              path: 'new',
              lazy: async () => ({
                Component: (await import('./assessments/new-assessment.tsx')).NewAssessment,
              }),
            },
            {
              path: 'team',
              lazy: async () => ({ Component: (await import('./team/team-page.tsx')).Team }),
            },
            {
              path: 'log',
              lazy: async () => ({ Component: (await import('./log/log-page.tsx')).LogPage }),
            },
            { path: 'seasons', element: <Redirect to=".." /> },
            { path: 'seasons/card', element: <Redirect to=".." /> },
            {
              path: 'settings',
              lazy: async () => ({
                Component: (await import('./team/society-page.tsx')).SocietySettings,
              }),
            },
          ],
        },
        {
          // The log of one test is the society's with a filter.
          path: 'assessments/:code/log',
          loader: ({ params: { society = '', code = '' } }) =>
            redirect(`${societyUrl(society, 'log')}?${new URLSearchParams({ assessment: code })}`),
        },
        {
          path: 'assessments/:code',
          lazy: async () => ({ Component: (await frame()).AssessmentFrame }),
          children: [
            {
              index: true,
              lazy: async () => ({
                Component: (await import('./overview/overview-page.tsx')).Overview,
              }),
            },
            {
              path: 'settings',
              lazy: async () => ({
                Component: (await import('./assessments/settings-page.tsx')).AssessmentSettings,
              }),
            },
            {
              path: 'questions',
              lazy: async () => ({
                Component: (await import('./questions/questions-page.tsx')).Questions,
              }),
            },
            {
              path: 'questions/import',
              lazy: async () => ({
                Component: (await import('./questions/import-page.tsx')).ImportQuestions,
              }),
            },
            {
              path: 'questions/check',
              // Where the keys were checked before; an address in mails and bookmarks.
              loader: ({ params }) =>
                redirect(
                  `${assessmentUrl(params.society ?? '', params.code ?? '', 'questions')}?keys=hidden`,
                ),
            },
            {
              path: 'candidates',
              lazy: async () => ({
                Component: (await import('./candidates/candidates-page.tsx')).Candidates,
              }),
            },
            {
              path: 'candidates/add',
              lazy: async () => ({
                Component: (await import('./candidates/add-candidates.tsx')).AddCandidates,
              }),
            },
            {
              path: 'candidates/slips',
              lazy: async () => ({
                Component: (await import('./candidates/slips-page.tsx')).Slips,
              }),
            },
            {
              path: 'live',
              lazy: async () => ({
                Component: (await import('./live/live-page.tsx')).Live,
              }),
            },
            {
              path: 'incidents',
              lazy: async () => ({
                Component: (await import('./incidents/incidents-page.tsx')).Incidents,
              }),
            },
            {
              path: 'incidents/:candidate',
              lazy: async () => ({
                Component: (await import('./incidents/candidate-page.tsx')).CandidateFile,
              }),
            },
            {
              path: 'results',
              lazy: async () => ({
                Component: (await import('./results/results-page.tsx')).Results,
              }),
            },
            {
              path: 'fairness',
              lazy: async () => ({
                Component: (await import('./fairness/preview-page.tsx')).FairnessPreview,
              }),
            },
            {
              path: 'analysis',
              lazy: async () => ({
                Component: (await import('./analysis/analysis-page.tsx')).Analysis,
              }),
            },
            {
              path: 'analysis/:item',
              lazy: async () => ({
                Component: (await import('./analysis/ruling-page.tsx')).RulingPage,
              }),
            },
            // What compared forms and sessions once: a pair of candidates is compared in Incidents.
            { path: 'sessions', element: <Redirect to="../incidents" /> },
            { path: 'card', element: <Redirect to=".." /> },
            { path: 'rehearsal', element: <Redirect to=".." /> },
          ],
        },
      ],
    },
  ],
})
