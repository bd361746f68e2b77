import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../../platform/web/api.ts'
import { overruleKey, withdrawOverruledKey } from '../../../contract/key-check.ts'
import { zoneMoment } from '../../../zone-time.ts'
import { ReasonDialog } from '../../analysis/ruling/reason-dialog.tsx'
import { useAssessment, useSociety } from '../../console/console.tsx'
import { useAct, usePlace } from '../../console/use-act.ts'
import { useNowMs } from '../../console/use-now.ts'
import type { ComparedQuestion } from './queries.ts'

/** What is done about a key that somebody chose against, or what an owner has decided (product 7.9.48). */
export function Settlement({ question }: { question: ComparedQuestion }) {
  return (
    <>
      {/* Also where somebody disputes it anew: it says what was thought of it before. */}
      {question.ruling && <Upheld question={question} ruling={question.ruling} />}
      {question.state === 'disputed' && <Disputed question={question} />}
    </>
  )
}

/** The question is changed, or the key stands: an owner says why. */
function Disputed({ question }: { question: ComparedQuestion }) {
  const { may } = useSociety()
  const place = usePlace()
  // The same press twice rules once.
  const [id, setId] = useState<string | null>(null)
  const { itemId, version, of, key, position } = question
  const overruling = useAct(
    (reason: string) =>
      call(overruleKey, {
        params: place,
        body: { ...{ id: id ?? '', itemId, version, of }, reason },
      }),
    () => setId(null),
  )
  const mayOverrule = may('overrule_key_check')
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        {may('write_questions') && (
          <Link
            className="btn btn-ghost btn-small"
            to={{ pathname: '..', search: `?question=${question.questionId}` }}
            relative="path"
          >
            Change the question
          </Link>
        )}
        {mayOverrule && (
          <button
            type="button"
            className="btn btn-ghost btn-small"
            onClick={() => {
              overruling.reset()
              setId(crypto.randomUUID())
            }}
          >
            Uphold {key}…
          </button>
        )}
      </div>
      {!mayOverrule && <p className="hint mt-1">An owner can uphold the key, with a reason.</p>}
      {id !== null && (
        <ReasonDialog
          title={`Uphold ${key} as the key of question ${position}?`}
          description={`${dissentOf(question)} The key stays, and your reason stands here, for all who may read the keys. When the question is changed, or somebody else chooses otherwise, this is decided anew.`}
          act={`Uphold ${key}`}
          isBusy={overruling.isBusy}
          problem={overruling.problem}
          onClose={() => setId(null)}
          onAct={overruling.run}
        />
      )}
    </div>
  )
}

function Upheld({
  question,
  ruling,
}: {
  question: ComparedQuestion
  ruling: NonNullable<ComparedQuestion['ruling']>
}) {
  const { may } = useSociety()
  const { timeZone } = useAssessment()
  const nowMs = useNowMs(60_000)
  const place = usePlace()
  const withdrawing = useAct(() =>
    call(withdrawOverruledKey, { params: { ...place, upheld: ruling.id } }),
  )
  return (
    <div>
      <p className="break-words">
        <b className="font-medium">{ruling.by}</b> upheld {question.key},{' '}
        {zoneMoment(Date.parse(ruling.at), timeZone, nowMs)}:{' '}
        <span className="whitespace-pre-line">{ruling.reason}</span>
      </p>
      {may('overrule_key_check') && (
        <button
          type="button"
          className="quiet-link min-h-8 max-md:min-h-11"
          aria-disabled={withdrawing.isBusy}
          onClick={() => withdrawing.run(undefined)}
        >
          Take this back
        </button>
      )}
      {withdrawing.problem && (
        <p role="alert" className="amber mt-1">
          {withdrawing.problem}
        </p>
      )}
    </div>
  )
}

/** 'ana.prado chose C.' */
const dissentOf = ({ choices, key }: ComparedQuestion): string =>
  `${choices
    .filter(({ choice }) => choice !== null && choice !== key)
    .map(({ name, choice }) => `${name} chose ${choice}`)
    .join(', ')}.`
