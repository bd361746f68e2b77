import { Link } from 'react-router'
import { URLS } from '../../../../platform/urls.ts'
import { useTitle } from '../../../../platform/web/ui/page.tsx'
import { Section } from '../section.tsx'
import { Standing } from './frame.tsx'

const STEPS = {
  Before: [
    'Make a draft: an empty one, from a file, or a copy of last season’s.',
    'Write or import the questions, and let a second person answer them with the keys hidden.',
    'Set the start window. Its deadline isn’t the end: candidates keep their full time.',
    'Add the candidates and plan extra time now. Publish, then send the passwords.',
    'Invite a second owner and an invigilator for each room. Let everyone rehearse on their own computer, and watch a simulation once.',
  ],
  'On the day': [
    'Have two people there: one at the door, one to answer questions.',
    'Candidates open Recruitment on a computer and sign in with their username and password.',
    'Live shows who needs help, who is taking the test, and who has finished.',
    'Leaving the page, copying, pasting and the context menu are strikes. The third one submits the test.',
    'Write down what happens, with the minute. Don’t decide anything in the room.',
  ],
  After: [
    'Wait until everyone has finished. A test that isn’t submitted ends automatically.',
    'Decide open incidents under Incidents and rule on wrong keys under Analysis. Then set the cut score and release the results under Results.',
    'A strike says what was seen, not why. Hear the candidate first.',
    'Publish the test’s fairness report. Answers and names are deleted on the day shown in the list of tests.',
  ],
}

const CASES = [
  [
    'A password is lost',
    'Under Candidates, open the row and send a new one by email or print a credential sheet. No answers are lost. A session with the old password ends.',
  ],
  [
    'The browser or the laptop dies',
    'They sign in again on any computer and continue. Answers are kept. The clock kept running.',
  ],
  [
    'A candidate is not on the list',
    'An owner adds them under Candidates, even while the test runs, and prints a credential sheet.',
  ],
  [
    'A candidate arrives late',
    'Until the start deadline, they can start and keep their full time. After it, an owner can move the deadline under Settings.',
  ],
  [
    'The network is down',
    'Everyone stays on the page, which keeps their answers and sends them later. Write down when it started and ended. An owner gives the time back under Live, to a room or to all, even after the end.',
  ],
  [
    'A strike isn’t the candidate’s fault',
    'Write down the minute and what happened: a fire alarm, a call. The candidate continues. An owner takes it back under Live, for one candidate or a whole room, and reopens a test that it ended.',
  ],
  [
    'A candidate must not take part',
    'An owner removes them under Candidates. They lose access immediately. Their answers are kept.',
  ],
  [
    'A question is wrong',
    'Tell all candidates to answer the question as written. After the test, an owner rules on it under Analysis, for everyone.',
  ],
] as const

/** /organise/help: one screen for volunteers who run one test a term (product 7.12.9). */
export function HelpPage() {
  useTitle('How to run a test')
  return (
    <Standing>
      <h1>How to run a test</h1>
      <div className="mt-7 grid gap-x-14 gap-y-8 lg:grid-cols-3">
        {Object.entries(STEPS).map(([title, steps]) => (
          <Section key={title} title={title}>
            <ul>
              {steps.map((step) => (
                <li key={step} className="border-line border-b py-2.5 text-pretty">
                  {step}
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
      <Section title="Eight common problems" className="mt-10">
        <dl className="grid gap-x-14 lg:grid-cols-2">
          {CASES.map(([what, act]) => (
            <div key={what} className="border-line border-b py-3">
              <dt className="font-medium">{what}</dt>
              <dd className="mt-0.5 max-w-[66ch] text-pretty text-ink-2">{act}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="Who to ask" className="mt-10 max-w-[70ch]">
        <p className="mt-3">
          In the room, ask an owner of your society. The overview of the test shows who is on duty.
          About Superday itself, write to{' '}
          <Link to={URLS.feedback} className="link underline underline-offset-3">
            Feedback & Support
          </Link>
          . Candidates ask the contact that your society has set under Society.
        </p>
      </Section>
    </Standing>
  )
}
