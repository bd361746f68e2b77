import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { focusWhenShown } from '../../../platform/web/ui/option-keys.ts'
import type { PromptToAnswer } from '../../contract/aloud.ts'
import { ActionBar, KeyHints } from '../sitting/action-bar.tsx'
import { useAloudKeys } from './keys.ts'
import { whenAgain } from './when-again.ts'

/** The question that comes next, and its answer once one has said one's own (product 3.13.8). */
export function FollowUpStage(props: {
  prompt: PromptToAnswer
  /** in how many days the prompt comes back */
  days: number
  hasMore: boolean
  onGoOn: () => void
}) {
  const { followUp } = props.prompt
  const [isShown, setShown] = useState(false)
  const act = isShown ? props.onGoOn : () => setShown(true)
  const onKeyDown = useAloudKeys({ Enter: act, ' ': act })
  const onward = props.hasMore ? 'Next question' : 'Finish'
  return (
    <main className="flex flex-1 flex-col outline-none" tabIndex={-1} onKeyDown={onKeyDown}>
      <div className="sitting-wrap aloud-speak aloud-follow-up">
        <section className="min-w-0">
          <p className="eyebrow">And then they ask</p>
          <h1
            ref={focusWhenShown}
            tabIndex={-1}
            className="aloud-prompt text-[clamp(32px,3.8vw,54px)] outline-none"
          >
            {followUp.prompt}
          </h1>
          <p className="aloud-how">Say it aloud, in a few sentences. It isn't recorded or rated.</p>
        </section>
        <div aria-live="polite" className="min-w-0">
          {isShown && (
            <div className="note note-plain fade-in">
              <p className="eyebrow">The answer</p>
              <p className="model-text">{followUp.answer}</p>
            </div>
          )}
        </div>
      </div>
      <ActionBar aside={<p className="serif text-[19px]">Again {whenAgain(props.days)}</p>}>
        <KeyHints hints={[['Enter', isShown ? onward.toLowerCase() : 'answer']]} />
        <button type="button" className="btn" onClick={act}>
          {isShown ? onward : 'Show the answer'}
          {isShown && <ArrowRight size={18} aria-hidden />}
        </button>
      </ActionBar>
    </main>
  )
}
