/** Every address of the product (product 1.4). */
export const URLS = {
  landing: '/',
  auth: '/auth',
  secondFactor: '/second-factor',
  confirmEmail: '/confirm-email',
  dashboard: '/dashboard',
  practice: '/practice',
  quiz: '/quiz',
  dueDone: '/due/done',
  due: '/due',
  drills: '/drills',
  cases: '/cases',
  aloud: '/aloud',
  build: '/build',
  builtTest: '/build/test',
  superday: '/superday',
  formulaSheet: '/formula-sheet',
  plan: '/plan',
  stopReminders: '/stop-reminders',
  errorResults: '/results/error-practice',
  about: '/about',
  faq: '/faq',
  careerHub: '/career-hub',
  feedback: '/feedback',
  recruitmentResources: '/recruitment-resources',
  personalHub: '/personal-hub',
  recruitment: '/recruitment',
  recruitmentInstructions: '/recruitment/instructions',
  recruitmentTest: '/recruitment/test',
  rehearsal: '/recruitment/rehearsal',
  organize: '/organise',
  organizeInvitation: '/organise/invitations',
  organizeHelp: '/organise/help',
} as const

export const signInUrl = '/auth?tab=signin'
export const signUpUrl = '/auth?tab=signup'
export type HubTab = 'progress' | 'mistakes' | 'history' | 'account'
export const hubUrl = (tab: HubTab): string =>
  tab === 'progress' ? URLS.personalHub : `${URLS.personalHub}?tab=${tab}`

/** Where a guest creates an account (product 2.4.6). */
export const createAccountUrl = '/personal-hub#create-account'

/** The page that asks for the second factor. `next` is where it leads; `again` asks even if it was already given. */
export function secondFactorUrl(next: string, again = false): string {
  return `/second-factor?${new URLSearchParams({ next, ...(again && { again: '1' }) })}`
}

/** Downloads (pages/build/templates.ts): a template or a specimen, on A4 or US Letter. */
export function templateUrl(
  of: 'cv' | 'cover-letter',
  kind: 'template' | 'specimen',
  paper: 'a4' | 'us-letter',
  format: 'pdf' | 'docx',
): string {
  return `/templates/${of}-${kind}${paper === 'a4' ? '' : '-us-letter'}.${format}`
}

const pathOf = (...parts: (string | number)[]) => `/${parts.map(encodeURIComponent).join('/')}`

export const testsUrl = (category: string, difficulty: string): string =>
  pathOf('tests', category, difficulty)

export const quizUrl = (category: string, difficulty: string, testNumber: number): string =>
  pathOf('quiz', category, difficulty, testNumber)

export const errorPracticeUrl = (category: string, difficulty: string): string =>
  pathOf('error-practice', category, difficulty)

/** The results of a test, or with `attemptId` of a saved attempt. */
export function resultsUrl(
  category: string,
  difficulty: string,
  testNumber: number,
  attemptId?: string,
): string {
  const path = pathOf('results', category, difficulty, testNumber)
  return attemptId ? `${path}?attempt=${attemptId}` : path
}

export function drillUrl(preset: string, drillId?: string): string {
  return drillId ? `/drills/${preset}/${drillId}` : `/drills/${preset}`
}

export const aloudUrl = (prompt: string): string => `${URLS.aloud}/${encodeURIComponent(prompt)}`

/** Whether a page may ask for the microphone. Only the pages for answering aloud may (product 3.13.10). */
export const mayRecord = (path: string): boolean =>
  path === URLS.aloud || path.startsWith(`${URLS.aloud}/`)

export const caseUrl = (slug: string): string => `${URLS.cases}/${slug}`

export const superdayUrl = (id: string): string => `${URLS.superday}/${id}`
export const superdayReportUrl = (id: string): string => `${superdayUrl(id)}/report`

/** A part of a mock superday, which returns to it at the end (product 3.15.2). */
export const partOfSuperdayUrl = (url: string, id: string): string => `${url}?superday=${id}`

/** Router patterns of addresses with parameters. The server uses them to detect 404s. */
export const URL_PATTERNS = {
  tests: '/tests/:category/:difficulty',
  quiz: '/quiz/:category/:difficulty/:testNumber',
  errorPractice: '/error-practice/:category/:difficulty',
  results: '/results/:category/:difficulty/:testNumber',
  drill: '/drills/:preset',
  drillEnd: '/drills/:preset/:drill',
  aloud: '/aloud/:prompt',
  caseScreen: '/cases/:slug',
  superday: '/superday/:id',
  superdayReport: '/superday/:id/report',
  fairness: '/fairness/:report',
  society: '/organise/:society',
  societyPage: '/organise/:society/:page',
  seasonCard: '/organise/:society/seasons/card',
  assessment: '/organise/:society/assessments/:code',
  assessmentPage: '/organise/:society/assessments/:code/:page',
  assessmentPart: '/organise/:society/assessments/:code/:page/:part',
  candidateOfList: '/organise/:society/assessments/:code/incidents/of/:listed',
} as const

/** A society's page: its assessments, or 'team', 'settings' … */
export const societyUrl = (society: string, page = ''): string =>
  page ? `/organise/${society}/${page}` : `/organise/${society}`

/** An assessment's page: its overview, or 'questions', 'candidates', 'candidates/add' … */
export const assessmentUrl = (society: string, code: string, page = ''): string =>
  societyUrl(society, page ? `assessments/${code}/${page}` : `assessments/${code}`)

/** /fairness/{report}: the public report on how a test was run. */
export const fairnessUrl = (report: string): string => `/fairness/${report}`

/** Whether a path is a page of the product. Any other path gets a 404. */
export function isPage(path: string): boolean {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path
  if ((Object.values(URLS) as string[]).includes(trimmed)) return true
  return Object.values(URL_PATTERNS).some((pattern) => {
    const wanted = pattern.split('/')
    const given = trimmed.split('/')
    return (
      wanted.length === given.length &&
      wanted.every((part, index) =>
        part.startsWith(':') ? given[index] !== '' : part === given[index],
      )
    )
  })
}
