import type { User } from '@supabase/auth-js'
import { type ReactNode, useState } from 'react'
import { Accordion, AccordionItem } from '../../../platform/web/ui/accordion.tsx'
import { Dialog, Question } from '../../../platform/web/ui/dialog.tsx'
import { Field } from '../../../platform/web/ui/field.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerPanel } from '../drawer-panel.tsx'
import { Row, Sample, Section } from './section.tsx'

const USER: User = {
  id: '00000000-0000-4000-8000-000000000000',
  email: 'mara@superday.example',
  app_metadata: {},
  user_metadata: {},
  aud: 'authenticated',
  created_at: '2026-01-05T09:00:00Z',
}

const ITEMS = [
  { id: 'asset-management', title: 'Asset Management' },
  { id: 'venture-capital', title: 'Venture Capital' },
]

/** What comes over the page, and what opens in it. */
export function Opening() {
  return (
    <Section title="What opens">
      <Sample name="Dialog, Question, DrawerPanel">
        <Row>
          <Opener label="Dialog">{(props) => <FormDialog {...props} />}</Opener>
          <Opener label="Dialog, wide">{(props) => <ReadingDialog {...props} />}</Opener>
          <Opener label="Question">{(props) => <LeaveQuestion {...props} />}</Opener>
          <Opener label="Drawer">{(props) => <DrawerPanel {...props} user={USER} />}</Opener>
        </Row>
      </Sample>
      <Sample name="Drawer (below 900 px)">
        <Row>
          <Drawer user={USER} />
        </Row>
      </Sample>
      <Sample name="toast">
        <Row>
          <button
            type="button"
            className="btn btn-ghost"
            onClick={() => toast.success('Signed out', "You've been successfully signed out.")}
          >
            toast.success
          </button>
          <button
            type="button"
            className="btn btn-ghost"
            onClick={() =>
              toast.error('Exam Safe Mode', 'Copying is not allowed during the test. Strike 1/3.')
            }
          >
            toast.error
          </button>
        </Row>
      </Sample>
      <Sample name="Accordion">
        <Accordion ids={ITEMS.map(({ id }) => id)}>
          {ITEMS.map(({ id, title }, index) => (
            <AccordionItem key={id} id={id} number={index + 1} title={title} level={3}>
              <p>Opens in place, one item at a time.</p>
            </AccordionItem>
          ))}
        </Accordion>
      </Sample>
    </Section>
  )
}

interface OpenState {
  open: boolean
  onOpenChange: (open: boolean) => void
}

function Opener(props: { label: string; children: (state: OpenState) => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-ghost" onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {props.children({ open, onOpenChange: setOpen })}
    </>
  )
}

function FormDialog(props: OpenState) {
  return (
    <Dialog {...props} title="Change password" description="Every other device is signed out.">
      <Field label="New password" autoComplete="off" />
      <button type="button" className="btn mt-5" onClick={() => props.onOpenChange(false)}>
        Save password
      </button>
    </Dialog>
  )
}

function ReadingDialog(props: OpenState) {
  return (
    <Dialog {...props} wide closeButton="text" title="Nice try!" description="Great effort!">
      {[1, 2, 3, 4, 5, 6].map((number) => (
        <p key={number} className="running mb-4">
          {number}. A long text scrolls between title and foot. A bond pays less than the market
          asks when its coupon is below the yield, so its price stands below par until it is repaid,
          and rises towards par as time passes.
        </p>
      ))}
    </Dialog>
  )
}

function LeaveQuestion(props: OpenState) {
  const close = () => props.onOpenChange(false)
  return (
    <Question
      {...props}
      title="Leave this test?"
      description="You haven't finished it yet. If you leave now, your answers to it are lost."
    >
      <button type="button" className="btn" onClick={close}>
        Keep going
      </button>
      <button type="button" className="btn btn-ghost" onClick={close}>
        Leave test
      </button>
    </Question>
  )
}
