import { Download } from 'lucide-react'
import { Fragment, useId, useState } from 'react'
import { Link } from 'react-router'
import { describeDuration } from '../../../platform/durations.ts'
import { call, fetchFile } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { countOf } from '../../../platform/words.ts'
import { blindNumber } from '../../kit/role-words.ts'
import { ActionDialog, AskButton, REASON } from '../../kit/web/ask.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { ActButton, useAct, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import {
  excludeFromRanking,
  exportResultFile,
  type NamedCandidate,
  type ResultFile,
  type Results,
  SHEETS_IN_FILE,
  showName,
  showNames,
} from '../contract.ts'
import { hiddenOf, notedOf, rankShown, type Shown } from './results-words.ts'

/** Shows one candidate by blind number, with links to the name and the report. */
export function CandidateCard(props: {
  one: Shown
  /** set if all names or this one are revealed */
  named: NamedCandidate | null
  isOwner: boolean
  onNamed: (named: NamedCandidate) => void
}) {
  const { one, named, onNamed } = props
  const place = usePlace()
  const urlOf = useUrlOf()
  const show = useAct(() => call(showName, { params: { ...place, candidate: one.id } }), onNamed)
  const called = `Candidate ${blindNumber(one.number)}`
  const standing = one.standing ? `, ${one.standing.replace('-', ' ')} the cut score` : ''
  const facts = [
    ['Number', named && blindNumber(one.number)],
    ['Username', named?.username],
    ['Room', named?.room],
    ['Form', one.form],
    ['Rank', `${rankShown(one.rank)} of ${one.people}`],
    [
      'Group',
      one.group === null ? 'none, because scores are too imprecise' : `${one.group}${standing}`,
    ],
    ['Time', `${describeDuration(one.seconds)} of ${describeDuration(one.allowedSeconds)}`],
    ['Flags', notedOf(one)],
  ].filter(([, text]) => text)
  return (
    <section
      aria-label={called}
      className="rounded-md border border-line bg-surface px-4 pt-3.5 pb-4"
    >
      <div className="flex items-baseline gap-3">
        <h3 className="flex-1">{named?.name ?? named?.username ?? called}</h3>
        <span className="whitespace-nowrap font-medium font-serif text-[22px]">
          {one.right} {one.error !== null && <small className="text-[15px]">± {one.error}</small>}
        </span>
      </div>
      <dl className="figures mt-2.5 grid grid-cols-[92px_1fr] gap-y-1 text-[13.5px] [&_dt]:text-ink-2">
        {facts.map(([term, text]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd className="break-words">{text}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Link to={urlOf(`incidents/${one.id}`)} className="btn btn-ghost btn-small">
          Open the report{' '}
        </Link>
        {!named && (
          <ActButton act={show} className="quiet-link min-h-7 text-[12.5px]">
            Show the name (saved in the log)
          </ActButton>
        )}
        {props.isOwner && (
          <AskButton
            words="Exclude from the ranking…"
            className="quiet-link min-h-7 text-[12.5px] max-md:min-h-11"
            title={`Exclude ${called.toLowerCase()} from the ranking?`}
            text="The score stays, and the candidate can still see it after the release. Ranks and counts leave the candidate out. The fairness report gives the number of excluded candidates."
            endpoint={excludeFromRanking}
            input={{ params: { ...place, candidate: one.id }, body: { isExcluded: true } }}
            fields={{ reason: REASON }}
            button={['Exclude from the ranking', 'Excluding…']}
          />
        )}
      </div>
    </section>
  )
}

/** Blind review is on until an owner reveals all names (product 7.17.7). */
export function Names(props: {
  results: Results
  count: number
  isOwner: boolean
  isBlind: boolean
  onBlind: (isBlind: boolean) => void
}) {
  const { count, isOwner, isBlind, onBlind } = props
  const { line, names } = props.results
  const { shownAt, shownBy, looks } = names
  const { timeZone } = useAssessment()
  const place = usePlace()
  const id = useId()
  const [isAsking, setIsAsking] = useState(false)
  const isOpen = shownAt !== null || line?.fixedAt != null
  const show = `Show ${countOf(count, 'name')}`
  const looked = looks.map((one) => `${one.by} (${countOf(one.count, 'time')})`).join(', ')
  return (
    <Section title="Names">
      <div className="grid grid-cols-[52px_1fr] py-3">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isBlind}
          id={id}
          className="switch"
          checked={isBlind}
          disabled={!isOwner || !isOpen}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            if (event.target.checked || shownAt) onBlind(event.target.checked)
            else setIsAsking(true)
          }}
        />
        <span>
          <label htmlFor={id} className="font-[550]">
            Blind review
          </label>
          <span id={`${id}-hint`} className="hint mt-0.5 block text-ink-2">
            {shownAt
              ? `${shownBy} showed the names on ${zoneMoment(shownAt, timeZone, Date.now())}. `
              : 'Names, rooms and addresses are hidden until an owner shows them. '}
            {!isOpen && isOwner && 'Lock the cut score first. '}
            {looked && `Members who saw names before that: ${looked}.`}{' '}
            {!looked && !shownAt && 'The log shows who sees a name before that.'}
          </span>
        </span>
      </div>
      {isAsking && (
        <ActionDialog
          title={show}
          text="Owners will see names, rooms and addresses next to the scores. This is saved in the log and can’t be undone."
          endpoint={showNames}
          input={{ params: place }}
          button={[show, 'Showing…']}
          done={() => onBlind(false)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}

const FILES: { file: ResultFile; label: string; name: string; hint: string }[] = [
  {
    file: 'csv_without_names',
    label: 'Without names (CSV)',
    name: 'results-without-names.csv',
    hint: 'Candidate number, correct, incorrect, time, cheated.',
  },
  {
    file: 'workbook',
    label: 'All results (Excel)',
    name: 'results.xlsx',
    hint: 'Names, scores, all answers and verdicts.',
  },
  {
    file: 'sheets',
    label: 'Result sheets (PDF)',
    name: 'result-sheets.pdf',
    hint: 'One per candidate: score with margin of error, group, verdicts and receipt.',
  },
]

/** Lists the result files (product 7.17.8). Only owners get files with names. */
export function Files({ results, isOwner }: { results: Results; isOwner: boolean }) {
  const hidden = hiddenOf(results).length
  return (
    <Section title="Files">
      <ul>
        {FILES.slice(0, isOwner ? 3 : 1)
          .flatMap((one) => partsOf(one, countAll(results)))
          .map((one) => (
            <FileRow key={one.label} {...one} />
          ))}
      </ul>
      {isOwner && !results.line?.fixedAt && (
        <p className="hint mt-2.5 text-ink-2">
          The cut score isn’t locked yet. If you download a file with names now, this page and the
          log will show it.
        </p>
      )}
      {hidden > 0 && (
        <p className="hint mt-2.5 text-ink-2">
          {countOf(hidden, 'score is', 'scores are')} hidden until the incidents are decided. The
          file without names leaves {hidden === 1 ? 'it' : 'them'} out.{' '}
          {isOwner && ' The files with names include every score.'}
        </p>
      )}
    </Section>
  )
}

const countAll = ({ forms }: Results) =>
  forms.reduce((sum, form) => sum + form.candidates.length + form.underReview.length, 0)

type FileChoice = (typeof FILES)[number] & { part?: number }

/** Splits the result sheets of a large test, because one file has at most a thousand. */
function partsOf(choice: FileChoice, people: number): FileChoice[] {
  const count = Math.ceil(people / SHEETS_IN_FILE)
  if (choice.file !== 'sheets' || count < 2) return [choice]
  return Array.from({ length: count }, (_, at) => ({
    ...choice,
    part: at + 1,
    label: `Result sheets, part ${at + 1} of ${count} (PDF)`,
    name: `result-sheets-${at + 1}.pdf`,
  }))
}

function FileRow({ file, part, label, name, hint }: FileChoice) {
  const place = usePlace()
  const take = useAct(
    () => fetchFile(exportResultFile, { params: place, body: { file, part } }),
    (blob) => saveAsFile(`${place.code}-${name}`, blob, blob.type),
  )
  return (
    <li className="border-line border-b py-2.5">
      <ActButton
        act={take}
        busy="Writing…"
        className="quiet-link flex min-h-7 items-center gap-2 max-md:min-h-11"
      >
        <Download size={14} aria-hidden />
        {label}
      </ActButton>
      <span className="hint block text-ink-2">{hint}</span>
    </li>
  )
}
