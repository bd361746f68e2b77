import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Section } from '../kit/section.tsx'
import { Standing } from './console.tsx'

const CASES: readonly [string, string][] = [
  [
    'A password is lost',
    'Candidates: open the line, and give a new one by mail or on a slip. Nothing answered is lost. Whoever was in by the old one is out.',
  ],
  [
    'The browser or the laptop dies',
    'Sign in again, on any computer, and go on. Answers are kept; the clock has run on.',
  ],
  [
    'Somebody is not on the list',
    'An owner adds them under Candidates, also while the test runs, and prints a slip.',
  ],
  [
    'Somebody comes late',
    'Until the last moment to start they start, and keep the whole time. After it an owner moves that moment, under Settings.',
  ],
  [
    'The network is gone',
    'Let everybody stay on the page: it keeps what they answer and sends it afterwards. Write down from when to when. An owner gives the time back under Live, to a room or to all, also when it has ended.',
  ],
  [
    'A strike that is nobody’s fault',
    'Write down the minute and what happened: a fire alarm, a call. The candidate goes on. An owner takes it back under Live, for a whole room at once, and opens an ended test again.',
  ],
  [
    'Somebody must not take part',
    'An owner removes them under Candidates: they are out at once, and what they answered stays.',
  ],
  [
    'A question is wrong',
    'Say the same to everybody: answer as it stands. It is ruled on afterwards under Analysis, for all at once.',
  ],
]

/** /organise/help: one screen, for volunteers who run one test a term (product 7.12.9). */
export function HelpPage() {
  useTitle('How to run a test')
  return (
    <Standing>
      <h1>How to run a test</h1>
      <div className="mt-7 grid gap-x-14 gap-y-8 lg:grid-cols-3">
        <Part title="Before">
          <li>Make a draft: an empty one, from a file, or a copy of last season’s.</li>
          <li>
            Write or import the questions, and let a second person answer them with the keys hidden.
          </li>
          <li>
            Set the window. The last moment to start is not the end: whoever is in keeps the time.
          </li>
          <li>Add the candidates; extra time is planned now. Publish, then mail the passwords.</li>
          <li>
            Invite a second owner and an invigilator for each room. Let everybody rehearse on their
            own computer, and watch a simulation once.
          </li>
        </Part>
        <Part title="On the day">
          <li>Two people are there: one at the door, one who answers.</li>
          <li>Candidates go to Recruitment with a computer, their username and their password.</li>
          <li>Live says who needs somebody, who is inside and who is done.</li>
          <li>
            Leaving the page, copying, pasting and the context menu are strikes; the third one hands
            the test in.
          </li>
          <li>Write down what happens, with the minute. Nothing is decided in the room.</li>
        </Part>
        <Part title="After">
          <li>Wait until nobody is inside. A test that nobody submits ends by itself.</li>
          <li>
            Decide what waits under Incidents and rule on wrong keys under Analysis; then draw the
            line and release the results, under Results.
          </li>
          <li>A strike says what was seen, not why. Hear the candidate first.</li>
          <li>
            Publish the test’s fairness report. Answers and names delete themselves on the day that
            the list of tests names.
          </li>
        </Part>
      </div>
      <Section title="Eight things that happen" className="mt-10">
        <dl className="grid gap-x-14 lg:grid-cols-2">
          {CASES.map(([what, act]) => (
            <div key={what} className="border-line border-b py-3">
              <dt className="font-medium">{what}</dt>
              <dd className="mt-0.5 max-w-[66ch] text-pretty text-ink-2">{act}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="Whom to ask" className="mt-10 max-w-[70ch]">
        <p className="mt-3">
          In the room: an owner of your society; the overview of the test names who is on duty.
          About Superday itself: whoever runs it here, by{' '}
          <Link to={URLS.feedback} className="link underline underline-offset-3">
            Feedback & Support
          </Link>
          . Candidates ask whom your society names under Society.
        </p>
      </Section>
    </Standing>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <div className="head">
        <h2>{title}</h2>
      </div>
      <ul className="[&>li]:border-line [&>li]:border-b [&>li]:py-2.5 [&>li]:text-pretty">
        {children}
      </ul>
    </section>
  )
}
