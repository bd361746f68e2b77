import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { assessmentUrl, URLS } from '../../../platform/urls.ts'
import { listOf } from '../../../platform/words.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import type { OverviewFacts } from '../../setup/web/checklist-links.tsx'
import { rehearsalUrl } from './rehearsal-buttons.tsx'

/** What an invigilator does here, and whom to ask (product 7.8.10). */
export function WhatYouDo({ helping }: { helping: NonNullable<OverviewFacts['helping']> }) {
  const { society } = useSociety()
  const { code } = useAssessment()
  const page = (name: string) => assessmentUrl(society.id, code, name)
  const { owners, contact } = helping
  return (
    <Section title="What you do">
      <ol>
        <Step title="Before the day" link={{ to: rehearsalUrl(code), label: 'Try it yourself' }}>
          Take a rehearsal on your own computer, so you know what candidates see.
        </Step>
        <Step title="At the door" link={{ to: page('candidates'), label: 'The candidates' }}>
          Find a candidate by name, with the room. If a password is lost, open the row and give a
          new one, by mail or on a slip.
        </Step>
        <Step title="During the test" link={{ to: URLS.organiseHelp, label: 'What can happen' }}>
          Stay in the room. Write down what happens, with the minute, and call an owner if a
          candidate needs more time.
        </Step>
      </ol>
      <p className="mt-5 max-w-[66ch] text-pretty">
        <b className="font-medium">Whom to ask: </b>
        {owners.length > 0 && `${listOf(owners)}, ${owners.length === 1 ? 'an owner' : 'owners'}`}
        {owners.length > 0 && contact && '; '}
        {contact && <span className="break-words">{contact}</span>}
        {owners.length === 0 && !contact && 'the owner who invited you'}.
      </p>
    </Section>
  )
}

function Step(props: { title: string; link: { to: string; label: string }; children: ReactNode }) {
  const { title, link, children } = props
  return (
    <li className="grid gap-x-6 border-line border-b py-4 md:grid-cols-[minmax(0,1fr)_156px]">
      <div>
        <h3 className="text-[20px]">{title}</h3>
        <p className="mt-1 max-w-[66ch] text-pretty text-ink-2">{children}</p>
      </div>
      <p className="pt-1 text-[13.5px] md:text-end">
        <Link to={link.to} className="link max-md:inline-flex max-md:min-h-11 max-md:items-center">
          {link.label}
        </Link>
      </p>
    </li>
  )
}
