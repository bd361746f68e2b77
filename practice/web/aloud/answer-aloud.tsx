import './aloud.css'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import * as z from 'zod/mini'
import { dayAfter, localDay } from '../../../platform/local-day.ts'
import { aloudUrl, URLS } from '../../../platform/urls.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { deviceStore } from '../../../platform/web/storage.ts'
import { focusWhenShown } from '../../../platform/web/ui/option-keys.ts'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { Spinner } from '../../../platform/web/ui/skeleton.tsx'
import { whenAgain } from '../../aloud/session.ts'
import { KIND_NAMES, type Rating } from '../../aloud/spoken-prompt.ts'
import type { PromptToAnswer } from '../../contract/aloud.ts'
import { NotThere } from '../kit.tsx'
import { putIntoList, spokenPromptQuery } from '../queries.ts'
import { useBeep } from '../quiz/beep.ts'
import { ActionBar, KeyHints, SittingHead, useEveningOfPart } from '../sitting/frame.tsx'
import { ticksOf } from '../sitting/ticks.tsx'
import { outbox } from '../use-outbox.tsx'
import { CheckStage } from './check-stage.tsx'
import { useAloudKeys } from './keys.ts'
import type { Sound } from './player.tsx'
import {
  createSpokenDrafts,
  dropRecording,
  findRecording,
  keepRecording,
  type SpokenDraft,
} from './recordings.ts'
import { SpeakStage } from './speak-stage.tsx'
import type { Spoken } from './use-speaking.ts'

const drafts = createSpokenDrafts(deviceStore, Date.now)
/** The list passes a session's prompts in router state. Without it, there is only one prompt. */
const sessionSchema = z.object({ prompts: z.array(z.string()) })

/** /aloud/{prompt} (product 3.13.3). */
export function AnswerAloud() {
  const user = useUser()
  const { prompt: slug = '' } = useParams()
  const prompt = useQuery({
    ...spokenPromptQuery(slug),
    // The prompt must not change while a person is speaking.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  useTitle(prompt.data?.prompt ?? 'Answer aloud')
  if (prompt.data) {
    return <AloudSitting key={`${user.id} ${slug}`} prompt={prompt.data} userId={user.id} />
  }
  if (!prompt.isError) return <Spinner />
  return (
    <StandalonePage>
      <NotThere
        query={prompt}
        gone="There is no such question to answer aloud"
        failed="Failed to load the question"
        wayOut={{ to: URLS.aloud, name: 'All questions' }}
      />
    </StandalonePage>
  )
}

function AloudSitting({ prompt, userId }: { prompt: PromptToAnswer; userId: string }) {
  const { slug } = prompt
  const navigate = useNavigate()
  const session = sessionSchema.safeParse(useLocation().state)
  const prompts = session.data?.prompts.includes(slug) ? session.data.prompts : [slug]
  const index = prompts.indexOf(slug)
  const beep = useBeep()
  const evening = useEveningOfPart()
  const [draft, setDraft] = useState(() => drafts.load(userId, slug))
  const [sound, setSound] = useState<Sound | null>(null)
  const [remarks, setRemarks] = useState<string[]>([])
  /** after rating, the days until the prompt comes back */
  const [days, setDays] = useState<number | null>(null)

  useEffect(() => {
    let isOver = false
    void findRecording(userId, slug, Date.now()).then((found) => {
      if (!isOver && found) setSound((current) => current ?? found)
    })
    return () => {
      isOver = true
    }
  }, [userId, slug])

  function change(next: SpokenDraft): void {
    drafts.save(userId, slug, next)
    setDraft(next)
  }

  function onSpoken(spoken: Spoken): void {
    if (spoken.isTimeUp) beep()
    setRemarks(remarksOf(spoken))
    change({
      id: crypto.randomUUID(),
      tookMs: Math.round(spoken.tookMs),
      answeredAt: new Date().toISOString(),
      points: [],
      rating: null,
    })
    if (!spoken.sound) {
      setSound(null)
      void dropRecording(userId, slug)
      return
    }
    const recorded = { sound: spoken.sound, tookMs: Math.round(spoken.tookMs) }
    setSound(recorded)
    void keepRecording({ ...recorded, userId, prompt: slug, recordedAtMs: Date.now() }).then(
      (isKept) => {
        if (!isKept) setRemarks((all) => [...all, NO_ROOM])
      },
    )
  }

  function recordAgain(): void {
    drafts.remove(userId, slug)
    void dropRecording(userId, slug)
    setSound(null)
    setRemarks([])
    setDraft(null)
  }

  function finish(rating: Rating): void {
    if (!draft) return
    const { id, points, tookMs } = draft
    const timeZone = deviceTimeZone()
    // The days ahead are counted from the day of the rating, not of the recording.
    const answeredAt = new Date().toISOString()
    outbox.put(userId, {
      kind: 'aloud',
      prompt: slug,
      body: { id, points, rating, tookMs, answeredAt, timeZone },
    })
    drafts.remove(userId, slug)
    const again = prompt.nextDays[rating - 1] ?? 1
    const day = localDay(Date.now(), timeZone)
    putIntoList(slug, { rating, pointsSaid: points.length, tookMs, day }, dayAfter(day, again))
    setDays(again)
    scrollTo(0, 0)
  }

  const next = prompts[index + 1]
  const goOn = () =>
    void (next
      ? navigate(aloudUrl(next), { state: { prompts }, replace: true })
      : navigate(evening?.to ?? URLS.aloud, { replace: true }))

  return (
    <div className="sitting">
      <SittingHead
        title={`Answer aloud · ${KIND_NAMES[prompt.kind]}`}
        closeTo={URLS.aloud}
        closeLabel={evening ? 'Close and go back to the superday' : 'Close and go to all questions'}
        index={index}
        ticks={ticksOf({ question: index + 1, answered: index }, prompts.length)}
      />
      {days !== null ? (
        <FollowUpStage prompt={prompt} days={days} hasMore={next !== undefined} onGoOn={goOn} />
      ) : draft ? (
        <CheckStage
          prompt={prompt}
          draft={draft}
          sound={sound}
          remarks={remarks}
          onChange={change}
          onRecordAgain={recordAgain}
          onGoOn={finish}
        />
      ) : (
        <SpeakStage prompt={prompt} lastSound={sound} onSpoken={onSpoken} />
      )}
    </div>
  )
}

const NO_ROOM = "This browser has no room for the recording. It's lost when you leave the page."
/** A page hidden for less was only a glance at a message. */
const WORTH_TELLING_MS = 2_000

function remarksOf({ isTimeUp, hiddenMs, interruptedAtMs, tookMs }: Spoken): string[] {
  const remarks: string[] = []
  if (isTimeUp) remarks.push('Time ran out, so it stopped automatically.')
  if (interruptedAtMs !== null && interruptedAtMs < tookMs) {
    remarks.push(`The microphone stopped after ${Math.round(interruptedAtMs / 1000)} seconds.`)
  }
  if (hiddenMs >= WORTH_TELLING_MS) {
    remarks.push(
      `The page was hidden for ${Math.round(hiddenMs / 1000)} seconds, but the clock kept running.`,
    )
  }
  return remarks
}

function FollowUpStage(props: {
  prompt: PromptToAnswer
  days: number
  hasMore: boolean
  onGoOn: () => void
}) {
  const { followUps } = props.prompt
  const [at, setAt] = useState({ index: 0, isShown: false })
  const { index, isShown } = at
  const isLast = index === followUps.length - 1
  const next = () => (isLast ? props.onGoOn() : setAt({ index: index + 1, isShown: false }))
  const act = isShown ? next : () => setAt({ index, isShown: true })
  const onKeyDown = useAloudKeys({ Enter: act, ' ': act })
  const onward = !isLast ? 'Next follow-up' : props.hasMore ? 'Next question' : 'Finish'
  return (
    <main className="flex flex-1 flex-col outline-none" tabIndex={-1} onKeyDown={onKeyDown}>
      <div className="sitting-wrap aloud-speak aloud-follow-up">
        <section className="min-w-0">
          <p className="eyebrow">
            And then they ask · {index + 1} of {followUps.length}
          </p>
          <h1
            key={index}
            ref={focusWhenShown}
            tabIndex={-1}
            className="aloud-prompt text-[clamp(32px,3.8vw,54px)] outline-none"
          >
            {followUps[index]?.prompt}
          </h1>
          <p className="aloud-how">Say it aloud, in a few sentences. It isn't recorded or rated.</p>
        </section>
        <div aria-live="polite" className="min-w-0">
          {isShown && (
            <div className="note note-plain fade-in">
              <p className="eyebrow">The answer</p>
              <p className="model-text">{followUps[index]?.answer}</p>
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
