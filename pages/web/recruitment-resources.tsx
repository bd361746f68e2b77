import { ArrowRight, Download } from 'lucide-react'
import { Link } from 'react-router'
import { page as guidesPage } from '../../content/pages/guides.yaml'
import { page as processPage } from '../../content/pages/process.yaml'
import { page as templates } from '../../content/pages/templates.yaml'
import { page as workedPage } from '../../content/pages/worked.yaml'
import { templateUrl, URLS } from '../../platform/urls.ts'
import { Accordion, AccordionItem } from '../../platform/web/ui/accordion.tsx'
import { PageHead, useTitle } from '../../platform/web/ui/page.tsx'
import type { Guide } from '../page-shapes.ts'
import { GuideText } from './guide-text.tsx'

const GROUPS: { id: string; title: string; about: string; guides: readonly Guide[] }[] = [
  {
    id: 'guides',
    title: 'Guides',
    about: 'What you write, and whom you talk to',
    guides: guidesPage.guides,
  },
  {
    id: 'process',
    title: 'The process',
    about: 'When to apply, and what happens between the form and the offer',
    guides: processPage.guides,
  },
  {
    id: 'worked-examples',
    title: 'Worked examples',
    about: 'Whole answers, with invented companies',
    guides: workedPage.guides,
  },
]
const IDS = GROUPS.flatMap(({ guides }) => guides.map((guide) => guide.id))

/** /recruitment-resources: templates, then guides in three groups, one open at a time (product 8.5, 8.8.1). */
export function RecruitmentResources() {
  useTitle(
    'Recruitment Resources',
    'Templates for CV and cover letter, guides to applying, tests and interviews, and worked examples.',
  )
  return (
    <main className="wrap wrap-narrow pt-9 sm:pt-12">
      <PageHead title="Recruitment Resources">
        Templates to fill in and guides to act on, from the first message to the last round, and two
        answers worked out in full.
      </PageHead>
      <section aria-labelledby="templates" className="mt-12 sm:mt-14">
        <h2 id="templates" className="border-ink border-b pb-3">
          Templates
        </h2>
        <div className="mt-6 grid gap-5 sm:grid-cols-2">
          <Template name="CV Template" of="cv" hints={templates.cv.hints} />
          <Template
            name="Cover Letter Template"
            of="cover-letter"
            hints={templates.coverLetter.hints}
          />
        </div>
        <p className="hint mt-4">
          Europe and most of the world print on A4, the United States and Canada on US Letter.
          Choose your reader's size; the lines break the same way. People, firms and figures in the
          specimens are invented.
        </p>
      </section>
      <Accordion ids={IDS}>
        {GROUPS.map((group) => (
          <section key={group.id} aria-labelledby={group.id} className="mt-14">
            <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-ink border-b pb-3">
              <h2 id={group.id}>{group.title}</h2>
              <p className="hint">{group.about}</p>
            </div>
            {group.guides.map((guide) => (
              <AccordionItem
                key={guide.id}
                id={guide.id}
                number={IDS.indexOf(guide.id) + 1}
                title={guide.title}
                level={3}
              >
                <GuideText guide={guide} />
              </AccordionItem>
            ))}
          </section>
        ))}
      </Accordion>
      <section
        aria-labelledby="societies"
        className="relative mt-14 rounded-md bg-sunken px-6 py-7"
      >
        <h2 id="societies" className="text-[21px]">
          Finance Society Recruiting
        </h2>
        <p className="running mt-2 mb-4 max-w-[38em] text-ink-2">
          Invited by a university finance society? You take its timed assessment here, with the
          society’s credentials.
        </p>
        <Link
          to={URLS.recruitment}
          className="link inline-flex min-h-6 items-center gap-2 after:absolute after:inset-0"
        >
          Go to the assessments
          <ArrowRight size={16} aria-hidden />
        </Link>
      </section>
    </main>
  )
}

const PAPERS = [
  { id: 'a4', name: 'A4' },
  { id: 'us-letter', name: 'US Letter' },
] as const

function Template(props: { name: string; of: 'cv' | 'cover-letter'; hints: readonly string[] }) {
  return (
    <div className="card flex flex-col p-6">
      <h3>{props.name}</h3>
      <ul className="running mt-3 mb-6 flex list-disc flex-col gap-2 pl-5 text-[15px] text-ink-2 marker:text-line-strong">
        {props.hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
      <dl className="mt-auto">
        {PAPERS.map((paper) => (
          <div
            key={paper.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-3"
          >
            <dt className="w-[76px] text-[15px] text-ink-2">{paper.name}</dt>
            <dd className="flex gap-2">
              {(['pdf', 'docx'] as const).map((format) => {
                const kind = format === 'pdf' ? 'PDF' : 'Word'
                return (
                  <a
                    key={format}
                    href={templateUrl(props.of, 'template', paper.id, format)}
                    download
                    aria-label={`${kind}: ${props.name}, ${paper.name}`}
                    className="btn btn-ghost px-3.5"
                  >
                    <Download size={16} aria-hidden />
                    {kind}
                  </a>
                )
              })}
            </dd>
          </div>
        ))}
        <div className="flex flex-wrap items-center gap-x-3 border-line border-t pt-3">
          <dt className="text-[15px] text-ink-2">Filled in, as a specimen</dt>
          <dd className="flex gap-x-5">
            {PAPERS.map((paper) => (
              <a
                key={paper.id}
                href={templateUrl(props.of, 'specimen', paper.id, 'pdf')}
                download
                aria-label={`Specimen: ${props.name}, ${paper.name}`}
                className="link inline-flex min-h-11 items-center"
              >
                {paper.name}
              </a>
            ))}
          </dd>
        </div>
      </dl>
    </div>
  )
}
