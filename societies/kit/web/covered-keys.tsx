import { Message } from '../../../platform/web/ui/message.tsx'
import { Top } from './section.tsx'
import { ActButton, useAct } from './use-act.tsx'

/** Replaces the keys after half an hour without re-authentication (product 7.13.9). Its button asks for it once. */
export function CoveredKeys(props: { title: string; read: () => Promise<unknown> }) {
  const uncover = useAct(props.read)
  return (
    <>
      <Top title={props.title} headline={props.title} />
      <Message
        title="The keys are covered"
        actions={
          <ActButton act={uncover} busy="One moment…" className="btn">
            Uncover them
          </ActButton>
        }
      >
        Confirm that it’s you. The keys stay open while you work on them, until you have been away
        for half an hour.
      </Message>
    </>
  )
}
