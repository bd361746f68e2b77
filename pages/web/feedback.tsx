import { page } from '../../content/pages/feedback.yaml'
import { PageHead, useTitle } from '../../platform/web/ui/page.tsx'
import { ContactAddress } from './contact-address.tsx'

/** /feedback: a mailbox and what to write to it. There is no form (product 8.6). */
export function Feedback() {
  useTitle(
    'Feedback & Support',
    'Write to Superday with suggestions, bug reports, questions or requests.',
  )
  return (
    <main className="wrap wrap-narrow pt-9 sm:pt-12">
      <PageHead title="Feedback & Support">{page.lead}</PageHead>
      <section aria-label="Our mailbox" className="card mt-9 px-6 py-8 sm:mt-12 sm:px-9">
        <p className="eyebrow">Write to us</p>
        <p className="mt-3 font-medium font-serif text-[clamp(21px,3.6vw,34px)] leading-tight tracking-[-0.015em]">
          <ContactAddress kind="support" />
        </p>
        <p className="mt-4 text-ink-2">{page.statement}</p>
      </section>
      <section aria-labelledby="about-what" className="mt-14">
        <h2 id="about-what" className="border-ink border-b pb-3">
          What to write about
        </h2>
        <ul className="grid gap-x-12 sm:grid-cols-2">
          {page.categories.map((category) => (
            <li key={category.title} className="border-line border-b py-6">
              <h3>{category.title}</h3>
              <p className="running mt-2 text-ink-2">{category.text}</p>
            </li>
          ))}
        </ul>
      </section>
    </main>
  )
}
