import './helpers-card.css'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { roomTitle } from '../../kit/role-words.ts'
import { nameOfAssessment, useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { zoneMoment, zoneName } from '../../kit/zone-time.ts'
import type { OverviewFacts } from '../../setup/contract-overview.ts'
import { ownersOf } from './checklist-rows.tsx'

/** Describes the day and a helper's tasks: docs/assessment-day.md in eight lines (product 7.14.11). */
const CASES = {
  'The password does not work':
    'Under Candidates, open the row and send a new password or print a credential sheet. No answers are lost.',
  'The browser or laptop crashed':
    'Sign in again on any computer with the same password and continue. The clock kept running: tell an owner how many minutes were lost.',
  'The network is down for one person':
    'Leave the page open and do not reload. Answers stay on the device and are saved when the network is back.',
  'The network is down for the room':
    'Do the same for everyone. Note the start and end. An owner can restore the lost time, even after time is up.',
  'Alarm: everyone leaves':
    'People first. Note the time. Leaving the page counts as a strike. An owner or a reviewer can take it back for the whole room afterward.',
  'A strike isn’t the candidate’s fault':
    'Note the name and time, or report it on the candidate’s page. An owner or a reviewer can take it back.',
  'Closed by the third strike':
    'Ask the candidate to stay. An owner can take a strike back and reopen the test for the lost minutes.',
  'Arrived too late to start':
    'Ask an owner to extend the start deadline. Candidates who have started keep their full time.',
}

type Shown = Pick<OverviewFacts, 'duty' | 'contact'>

export function PrintHelpersCard(facts: Shown) {
  const [isPrinted, setIsPrinted] = useState(false)
  function print() {
    flushSync(() => setIsPrinted(true))
    addEventListener('afterprint', () => setIsPrinted(false), { once: true })
    window.print()
  }
  return (
    <>
      <button type="button" className="btn btn-ghost" onClick={print}>
        <Printer size={15} aria-hidden />
        Print helpers’ card
      </button>
      {/* The card is outside of the application, which isn't printed then (helpers-card.css). */}
      {isPrinted && createPortal(<HelpersCard {...facts} />, document.body)}
    </>
  )
}

function HelpersCard({ duty, contact }: Shown) {
  const { society } = useSociety()
  const assessment = useAssessment()
  const { timeZone, opensAt, closesAt, durationSeconds } = assessment
  const room = society.roles.find(({ role }) => role === 'invigilator')?.room ?? null
  const moment = (iso: string) => zoneMoment(iso, timeZone, Date.now())
  return (
    <section aria-label="Helpers’ card" className="helpers-card">
      <h1 className="text-[22px]!">
        {room ? `Helpers’ card, ${roomTitle(room)}` : 'Helpers’ card'}
      </h1>
      <p className="mt-1 mb-4">
        {nameOfAssessment(assessment)}, {assessment.society}.{' '}
        {opensAt ? `Starts from ${moment(opensAt)}` : 'Starts at any time'}
        {closesAt && `, last start ${moment(closesAt)}`}, {Math.round(durationSeconds / 60)} minutes
        each, times of {zoneName(timeZone)}.
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)_200px] gap-x-12">
        <Section title="What to do">
          <dl>
            {Object.entries(CASES).map(([what, then]) => (
              <div
                key={what}
                className="grid grid-cols-[150px_minmax(0,1fr)] gap-x-5 border-line border-b py-1.5"
              >
                <dt className="font-medium">{what}</dt>
                <dd>{then}</dd>
              </div>
            ))}
          </dl>
        </Section>
        <Section title="Who to call">
          <ul>
            {ownersOf(duty).map((name) => (
              <li key={name} className="border-line border-b py-1.5">
                <b className="font-medium">{name}</b>, owner
                <span className="block h-6 border-line border-b border-dotted">phone</span>
              </li>
            ))}
            {contact && (
              <li className="break-words border-line border-b py-1.5">
                <b className="font-medium">{contact}</b>
                <span className="block">contact for candidates</span>
              </li>
            )}
          </ul>
          <p className="mt-3 text-pretty">
            You don’t make decisions about candidates. Note who, what and when, and be kind.
            Incidents are reviewed afterward.
          </p>
        </Section>
      </div>
    </section>
  )
}
