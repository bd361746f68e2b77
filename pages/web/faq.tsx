import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { page } from '../../content/pages/faq.yaml'
import { URLS } from '../../platform/urls.ts'
import { Accordion, AccordionItem } from '../../platform/web/ui/accordion.tsx'
import { PageHead, useTitle } from '../../platform/web/ui/page.tsx'

const CARDS = [
  {
    title: 'Still have a question?',
    text: 'Ask us. A few lines are enough, and a person reads them.',
    link: 'Write to us',
  },
  {
    title: 'Missing a topic, or found a mistake?',
    text: 'Suggest a question, request a topic, or tell us what is wrong.',
    link: 'Suggest an improvement',
  },
]

/** /faq: eight questions, one open at a time. The cards lead to /feedback (product 8.3, 8.8.1). */
export function Faq() {
  useTitle(
    'FAQ',
    'Eight questions about Superday: topics, levels, retakes, progress and how to study.',
  )
  return (
    <main className="wrap wrap-narrow pt-9 sm:pt-12">
      <PageHead title="Frequently Asked Questions" />
      <div className="mt-9 border-ink border-t sm:mt-12">
        <Accordion ids={page.questions.map((question) => question.id)}>
          {page.questions.map(({ id, question, answer }, index) => (
            <AccordionItem key={id} id={id} number={index + 1} title={question} level={2}>
              <div className="running flex max-w-[38em] flex-col gap-3.5">
                {answer.map((paragraph) => (
                  <p key={paragraph}>
                    <WithFeedbackLink text={paragraph} />
                  </p>
                ))}
              </div>
            </AccordionItem>
          ))}
        </Accordion>
      </div>
      <div className="mt-12 grid gap-5 sm:grid-cols-2">
        {CARDS.map((card) => (
          <section key={card.title} className="card relative flex flex-col p-6">
            <h2 className="text-[21px]">{card.title}</h2>
            <p className="running mt-2 mb-4 text-ink-2">{card.text}</p>
            <Link
              to={URLS.feedback}
              className="link mt-auto inline-flex min-h-6 items-center gap-2 self-start after:absolute after:inset-0"
            >
              {card.link}
              <ArrowRight size={16} aria-hidden />
            </Link>
          </section>
        ))}
      </div>
    </main>
  )
}

/** The feedback page's title. */
const FEEDBACK = 'Feedback & Support'

/** A text in which the feedback page's name is a link. */
function WithFeedbackLink({ text }: { text: string }) {
  const [before, after] = text.split(FEEDBACK)
  if (after === undefined) return text
  return (
    <>
      {before}
      <Link to={URLS.feedback} className="link">
        {FEEDBACK}
      </Link>
      {after}
    </>
  )
}
