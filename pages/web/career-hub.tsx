import { Link } from 'react-router'
import { page } from '../../content/pages/careers.yaml'
import { Accordion, AccordionItem } from '../../platform/web/ui/accordion.tsx'
import { PageHead, useTitle } from '../../platform/web/ui/page.tsx'
import type { Career } from '../page-shapes.ts'

const SIDES: { title: string; about: string; careers: readonly Career[] }[] = [
  { title: 'Buy Side', about: 'They invest money', careers: page.buySide },
  { title: 'Sell Side', about: 'They advise, trade and lend', careers: page.sellSide },
  {
    title: 'Also in Finance',
    about: 'Teams within the two sides, and related work',
    careers: page.alsoInFinance,
  },
]
const IDS = SIDES.flatMap(({ careers }) => careers.map((career) => career.id))

/** A link from a career to its category's tests. practice/ knows which exist. */
interface WayIntoPractice {
  difficulty: string
  level: string
  url: string
}

type WaysInto = (category: string) => readonly WayIntoPractice[]

/** /career-hub: eight careers on two sides, then others, one open at a time (product 8.4, 8.8.1). */
export function CareerHub({ waysInto }: { waysInto: WaysInto }) {
  useTitle(
    'Career Hub',
    'Careers in finance: the work, the way in, the hours, where they lead and what to practice.',
  )
  return (
    <main className="wrap wrap-narrow pt-9 sm:pt-12">
      <PageHead title="Career Hub">
        Roles on the buy side, the sell side and beyond: what you do all day, how you get in, the
        hours, where people go next, and what to practice for the interview.
      </PageHead>
      <Accordion ids={IDS}>
        {SIDES.map((side) => (
          <section key={side.title} aria-label={side.title} className="mt-12 sm:mt-14">
            <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-ink border-b pb-3">
              <h2>{side.title}</h2>
              <p className="hint">{side.about}</p>
            </div>
            {side.careers.map((career) => (
              <AccordionItem
                key={career.id}
                id={career.id}
                number={IDS.indexOf(career.id) + 1}
                title={career.title}
                level={3}
              >
                <CareerText career={career} waysInto={waysInto} />
              </AccordionItem>
            ))}
          </section>
        ))}
      </Accordion>
    </main>
  )
}

function CareerText({ career, waysInto }: { career: Career; waysInto: WaysInto }) {
  return (
    <div className="running">
      <p className="max-w-[38em] text-[17px]">{career.description}</p>
      <div className="mt-7 grid gap-x-12 gap-y-7 nav:grid-cols-[3fr_2fr]">
        <div>
          <h4 className="eyebrow">All day long</h4>
          <ul className="mt-2">
            {career.day.map((line) => (
              <li key={line} className="border-line border-t py-2.5 first:border-t-0">
                {line}
              </li>
            ))}
          </ul>
          <div className="mt-6">
            <Fact title="Process">{career.process}</Fact>
          </div>
          <div className="mt-6">
            <h4 className="eyebrow">Key skills</h4>
            <ul className="mt-2.5 flex flex-wrap gap-1.5">
              {career.keySkills.map((skill) => (
                <li key={skill} className="chip">
                  {skill}
                </li>
              ))}
            </ul>
          </div>
        </div>
        <div className="flex flex-col gap-6">
          <Fact title="Hours">{career.hours}</Fact>
          <Fact title="Path">{career.path}</Fact>
          <Fact title="Exits">{career.exits}</Fact>
        </div>
      </div>
      <Practise career={career} waysInto={waysInto} />
    </div>
  )
}

function Fact({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <h4 className="eyebrow">{title}</h4>
      <p className="mt-2">{children}</p>
    </div>
  )
}

/** The best practice category, with links to its tests. */
function Practise({ career, waysInto }: { career: Career; waysInto: WaysInto }) {
  const { category, why } = career.practise
  return (
    <div className="mt-8 rounded-md bg-sunken px-5 py-6 sm:px-6">
      <h4 className="eyebrow">Practice for it</h4>
      <p className="mt-2 font-medium font-serif text-[20px] leading-snug tracking-[-0.01em]">
        {category}
      </p>
      <p className="mt-1.5 max-w-[38em] text-ink-2">{why}</p>
      <ul className="mt-4 flex flex-wrap gap-x-3 gap-y-2.5">
        {waysInto(category).map(({ difficulty, level, url }) => (
          <li key={difficulty}>
            <Link
              to={url}
              aria-label={`${category}, ${difficulty} (${level})`}
              className="btn btn-ghost bg-surface"
            >
              {difficulty}
              <span className="font-normal text-ink-2">({level})</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
