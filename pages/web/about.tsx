import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { page } from '../../content/pages/about.yaml'
import { PageHead, useTitle } from '../../platform/web/ui/page.tsx'
import { contactQuery } from './contact-address.tsx'

/** /about: the story, the founders, the values and the mission (product 8.2). */
export function About() {
  useTitle('About Us', 'How three students came to build Superday, and what it is for.')
  const [opening, ...story] = page.story
  return (
    <main className="wrap pt-9 sm:pt-12">
      <PageHead title="About Us" />
      <div className="mt-9 grid gap-x-16 gap-y-7 border-ink border-t pt-8 sm:mt-12 nav:grid-cols-2">
        <p className="running font-serif text-[22px] leading-[1.4] tracking-[-0.01em] sm:text-[25px]">
          {opening}
        </p>
        <div className="running flex max-w-[36em] flex-col gap-4">
          {story.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </div>
      <Founders />
      <Values />
      <section
        aria-labelledby="mission"
        className="mt-16 rounded-md bg-sunken px-6 py-9 sm:px-12 sm:py-14"
      >
        <h2 id="mission" className="eyebrow font-sans">
          Our mission
        </h2>
        <p className="mt-4 max-w-[26em] text-balance font-medium font-serif text-[clamp(23px,3vw,36px)] leading-[1.25] tracking-[-0.015em]">
          {page.mission}
        </p>
      </section>
    </main>
  )
}

/** A card for each founder, with a link if a profile is set (product 8.2.1). The link's line always exists. */
function Founders() {
  const contact = useQuery(contactQuery)
  const profiles = contact.data?.founderProfiles ?? []
  return (
    <section aria-labelledby="founders" className="mt-16">
      <h2 id="founders">The founders</h2>
      <ul className="mt-6 grid gap-x-9 nav:grid-cols-3">
        {page.founders.map((founder, index) => (
          <li
            key={founder.role}
            className="grid grid-rows-[auto_auto_auto_minmax(44px,auto)] border-ink border-t pt-5 pb-4 nav:row-span-4 nav:grid-rows-subgrid"
          >
            <p className="eyebrow">{founder.studyArea}</p>
            <h3 className="mt-2 text-balance text-[23px] leading-[1.2]">{founder.role}</h3>
            <p className="running mt-3 max-w-[36em] text-ink-2">{founder.bio}</p>
            {profiles[index] && (
              <a
                href={profiles[index]}
                target="_blank"
                rel="noreferrer"
                aria-label={`Professional profile: ${founder.role} (opens in a new tab)`}
                className="link mt-1 inline-flex min-h-11 items-center gap-1.5 self-start justify-self-start"
              >
                Professional profile
                <ArrowUpRight size={16} aria-hidden />
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Values() {
  return (
    <section aria-labelledby="values" className="mt-16">
      <h2 id="values" className="border-ink border-b pb-3">
        Our values
      </h2>
      <ol className="grid gap-x-9 nav:grid-cols-3">
        {page.values.map((value, index) => (
          <li key={value.title} className="border-line py-7 max-nav:border-b">
            <p aria-hidden className="font-serif text-[18px] text-ink-2">
              0{index + 1}
            </p>
            <h3 className="mt-2">{value.title}</h3>
            <p className="running mt-2 text-ink-2">{value.text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
