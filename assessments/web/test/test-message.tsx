import { useEffect } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { StandalonePage } from '../../../platform/web/ui/page.tsx'
import { Redirect } from '../../../platform/web/ui/redirect.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'

/** Leads elsewhere and says why. */
export function LeaveWith(props: { title: string; description: string; to: string }) {
  const { title, description, to } = props
  useEffect(() => {
    toast.error(title, description)
  }, [title, description])
  return <Redirect to={to} />
}

/** The last moment to start has passed. */
export function TestClosed({ title, message }: { title: string; message: string }) {
  return (
    <StandalonePage>
      <Message
        title={message}
        isError
        actions={
          <Link to={URLS.recruitment} className="btn">
            Society Assessments
          </Link>
        }
      >
        {title}
      </Message>
    </StandalonePage>
  )
}

/** Another window has the test; this one stands still. */
export function TakenOver({ message, onTakeBack }: { message: string; onTakeBack: () => void }) {
  return (
    <StandalonePage>
      <Message
        title="This test is open in another window"
        isError
        actions={
          <button type="button" className="btn btn-ghost" onClick={onTakeBack}>
            Continue in this window instead
          </button>
        }
      >
        {message}
      </Message>
    </StandalonePage>
  )
}
