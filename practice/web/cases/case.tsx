import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useUser } from '../../../platform/web/session.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { NotThere, toggled } from '../kit.tsx'
import { caseQuery, slipsBeforeQuery } from '../queries.ts'
import { SittingFooter, SittingHead, SittingSkeleton } from '../sitting/frame.tsx'
import './case.css'
import { ChevronDown, ChevronUp, Table2 } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { URLS } from '../../../platform/urls.ts'
import type { Case } from '../../cases/case.ts'
import { useBeep } from '../quiz/beep.ts'
import { useTimeShown } from '../sitting/answer.tsx'
import { ticksOf } from '../sitting/ticks.tsx'
import { outbox } from '../use-outbox.tsx'
import { CaseDone } from './case-done.tsx'
import { CaseQuestion } from './case-question.tsx'
import { asOutboxItem, type CaseSitting, caseSittings } from './case-sitting.ts'
import { Exhibit, ExhibitPart, type Marking } from './exhibit.tsx'

/** /cases/{slug} (product 3.12.8). */
export function CaseScreen() {
  const user = useUser()
  const { slug = '' } = useParams()
  const found = useQuery({
    ...caseQuery(slug),
    // The case must not change while a person is answering.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  useTitle(found.data?.title ?? 'Case')
  if (found.data) {
    return <CasePlayer key={`${user.id} ${slug}`} userId={user.id} content={found.data} />
  }
  if (!found.isError) return <SittingSkeleton closeTo={URLS.cases} closeLabel="Close the case" />
  return (
    <StandalonePage>
      <NotThere
        query={found}
        gone="There is no such case."
        failed="The case could not be loaded"
        wayOut={{ to: URLS.cases, name: 'All cases' }}
      />
    </StandalonePage>
  )
}

const newSitting = (): CaseSitting => ({ id: crypto.randomUUID(), given: [], marks: [] })

/** Plays a case (product 3.12.8). Next locks a question, and each answer is stored on the device and in the outbox. */
function CasePlayer({ userId, content }: { userId: string; content: Case }) {
  const { slug, questions } = content
  const beep = useBeep()
  const isWide = useIsWide()
  const [sitting, setSitting] = useState(() => caseSittings.load(userId, slug) ?? newSitting())
  const [index, setIndex] = useState(() => Math.min(sitting.given.length, questions.length - 1))
  const [isDone, setDone] = useState(() => sitting.given.length === questions.length)
  // The person has to see the exhibit before answering.
  const [isSheetOpen, setSheetOpen] = useState(() => sitting.given.length === 0)
  // This loads early, so a note has its title when it appears.
  usePrefetchQuery(slipsBeforeQuery(sitting.id))
  const timeShown = useTimeShown(index)

  const isLocked = index < sitting.given.length
  const isLast = index === questions.length - 1
  const canGoOn = isLocked || sitting.chosen !== undefined

  function keep(next: CaseSitting): void {
    setSitting(next)
    caseSittings.save(userId, slug, next)
  }

  function choose(letter: OptionLetter): void {
    if (isLocked) return
    beep()
    keep({ ...sitting, chosen: letter })
  }

  function lock(choice: OptionLetter): void {
    const { chosen: _, ...rest } = sitting
    const answered = { choice, tookMs: timeShown(), answeredAt: new Date().toISOString() }
    const next = { ...rest, given: [...sitting.given, answered] }
    keep(next)
    outbox.put(userId, asOutboxItem(content, next))
  }

  function goOn(): void {
    if (!canGoOn) return
    beep()
    if (!isLocked && sitting.chosen) lock(sitting.chosen)
    if (isLast) setDone(true)
    else setIndex(index + 1)
    scrollTo(0, 0)
  }

  function goBack(): void {
    if (index === 0) return
    beep()
    setIndex(index - 1)
    scrollTo(0, 0)
  }

  function mark(line: string): void {
    keep({ ...sitting, marks: toggled(sitting.marks, line) })
  }

  if (isDone) {
    return (
      <CaseDone
        content={content}
        sitting={sitting}
        onLeave={() => caseSittings.remove(userId, slug)}
        onAgain={() => {
          caseSittings.remove(userId, slug)
          setSitting(newSitting())
          setIndex(0)
          setSheetOpen(true)
          setDone(false)
        }}
      />
    )
  }
  const marking = { marks: new Set(sitting.marks), onMark: mark }
  return (
    <div className="sitting case">
      <SittingHead
        title={`Case · ${content.category}, ${content.difficulty}`}
        closeTo={URLS.cases}
        closeLabel="Close the case"
        index={index}
        ticks={ticksOf({ question: index + 1, answered: sitting.given.length }, questions.length)}
        isLostOnReload={caseSittings.isLostOnReload(userId, slug)}
      />
      <main className="sitting-wrap case-main">
        {!isWide && (
          <ExhibitSheet
            content={content}
            isOpen={isSheetOpen}
            onOpenChange={setSheetOpen}
            {...marking}
          />
        )}
        <CaseQuestion
          content={content}
          sitting={sitting}
          index={index}
          isSheetOpen={!isWide && isSheetOpen}
          onChoose={choose}
          onGoOn={goOn}
          onGoBack={goBack}
        />
        {/* This comes after the question, so Tab goes from the options to the exhibit. */}
        {isWide && <Exhibit content={content} {...marking} />}
      </main>
      <SittingFooter
        isFirst={index === 0}
        step={isLast ? 'Finish Case' : 'Next'}
        canChoose
        canGoOn={canGoOn}
        onGoOn={goOn}
        onGoBack={goBack}
      />
    </div>
  )
}

function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia('(min-width: 900px)')
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia('(min-width: 900px)').matches,
  )
}

/** On a phone, a bar opens the exhibit in a sheet above the question, one part at a time. The question stays usable. */
function ExhibitSheet(
  props: {
    content: Case
    isOpen: boolean
    onOpenChange: (isOpen: boolean) => void
  } & Marking,
) {
  const { content, isOpen, onOpenChange } = props
  const parts = [
    ...content.exhibits.filter(({ kind }) => kind !== 'chart'),
    ...content.exhibits.filter(({ kind }) => kind === 'chart'),
  ]
  const [shown, setShown] = useState(parts[0]?.id)
  const part = parts.find(({ id }) => id === shown) ?? parts[0]
  if (!part) return null
  if (!isOpen) {
    return (
      <button
        type="button"
        className="case-pull"
        aria-expanded={false}
        onClick={() => onOpenChange(true)}
      >
        <Table2 size={20} aria-hidden />
        <span className="min-w-0 flex-1 truncate text-left">Exhibit: {content.title}</span>
        <ChevronDown size={20} aria-hidden />
      </button>
    )
  }
  return (
    <section
      aria-label="Exhibit"
      className="case-sheet"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onOpenChange(false)
      }}
    >
      <div className="case-tabs">
        <div className="case-tab-list">
          {parts.map(({ id, tab }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === part.id}
              onClick={() => setShown(id)}
            >
              {tab}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="icon-btn -mr-3"
          aria-label="Close the exhibit"
          aria-expanded
          onClick={() => onOpenChange(false)}
        >
          <ChevronUp size={20} aria-hidden />
        </button>
      </div>
      {/* The focus lets keys scroll a table that is taller than the sheet. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <section className="case-sheet-body" tabIndex={0} aria-label={part.tab}>
        {part === parts[0] && <p className="hint running pb-2">{content.story}</p>}
        <ExhibitPart part={part} isNarrow marks={props.marks} onMark={props.onMark} />
      </section>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden
        className="case-grip"
        onClick={() => onOpenChange(false)}
      />
    </section>
  )
}
