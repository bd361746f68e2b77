import { ArrowRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Field, PasswordField } from '../../../platform/web/ui/field.tsx'
import { BackLink } from '../../../platform/web/ui/page.tsx'
import { Tabs } from '../../../platform/web/ui/tabs.tsx'
import { Row, Sample, Section } from './section.tsx'

const KINDS = [
  { name: '.btn', className: 'btn' },
  { name: '.btn-ghost', className: 'btn btn-ghost' },
  { name: '.btn-quiet', className: 'btn btn-quiet' },
  { name: '.btn-danger', className: 'btn btn-danger' },
  { name: '.btn-nav', className: 'btn btn-ghost btn-nav' },
]

/** What is pressed and what is filled in. */
export function Controls() {
  return (
    <Section title="Controls">
      {KINDS.map(({ name, className }) => (
        <Sample key={name} name={name}>
          <Row>
            <Button className={className}>Start Test</Button>
            <Button className={className}>
              Next
              <ArrowRight size={18} aria-hidden />
            </Button>
            <Button className={className} disabled>
              Disabled
            </Button>
            <Button className={className} aria-disabled>
              Sending…
            </Button>
          </Row>
        </Sample>
      ))}
      <Sample name=".link, BackLink">
        <Row>
          <a className="link" href="#top">
            A link in a text
          </a>
          <BackLink to="#top">BackLink</BackLink>
        </Row>
      </Sample>
      <Fields />
      <Sample name="Tabs">
        <TabsSample />
      </Sample>
      <Sample name=".switch, kbd">
        <Row>
          <input type="checkbox" className="switch" aria-label="Off at first" />
          <input type="checkbox" className="switch" aria-label="On" defaultChecked />
          <kbd>A</kbd>
          <kbd>Enter</kbd>
        </Row>
      </Sample>
    </Section>
  )
}

function Button(props: {
  className: string
  disabled?: boolean
  'aria-disabled'?: boolean
  children: ReactNode
}) {
  return <button type="button" {...props} />
}

function Fields() {
  return (
    <Sample name="Field, PasswordField">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Degree" note="optional" defaultValue="Economics" />
        <Field label="Year of studies" error="Please enter a whole number from 1 to 10." />
        <PasswordField label="Password" autoComplete="off" defaultValue="correct horse battery" />
        <PasswordField
          label="Current password"
          autoComplete="off"
          error="Your current password is not right."
        />
      </div>
    </Sample>
  )
}

function TabsSample() {
  const [tab, setTab] = useState<'signin' | 'signup'>('signin')
  return (
    <Tabs
      label="Sign in or sign up"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: 'signin', label: 'Sign In', panel: <p>The panel of Sign In</p> },
        { value: 'signup', label: 'Sign Up', panel: <p>The panel of Sign Up</p> },
      ]}
    />
  )
}
