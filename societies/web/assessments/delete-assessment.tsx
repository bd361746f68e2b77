import { matchQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { societyUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import {
  confirmDeletion,
  deleteDraft,
  requestDeletion,
  withdrawDeletion,
} from '../../contract/lifecycle.ts'
import { countOf } from '../../number-words.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { assessmentKey, societyKey } from '../console/queries.ts'
import { useNowMs } from '../console/use-now.ts'
import { Refusal, TextField } from './form-parts.tsx'
import { deletionQuery } from './lifecycle-queries.ts'

type Act = 'draft' | 'ask' | 'confirm'

/** The end of an assessment: a draft goes at once, any other with a second owner (product 7.8.9). */
export function DeleteAssessment() {
  const { society } = useSociety()
  const { code, timeZone } = useAssessment()
  const nowMs = useNowMs(10_000)
  const client = useQueryClient()
  const found = useQuery(deletionQuery(society.id, code))
  const [act, setAct] = useState<Act | null>(null)
  const params = { society: society.id, code }
  const keeping = useMutation({
    mutationFn: () => call(withdrawDeletion, { params }),
    onSettled: () => client.invalidateQueries({ queryKey: societyKey(society.id) }),
  })
  if (!found.data) return null
  const { isDraft, obstacle, request, ownerCount } = found.data
  const at = (iso: string) => zoneMoment(iso, timeZone, nowMs)
  const mayConfirmNow = request?.mayConfirmFrom && Date.parse(request.mayConfirmFrom) <= nowMs
  return (
    <section className="mt-14 max-w-[860px]" aria-labelledby="delete">
      <div className="head">
        <h2 id="delete">Delete</h2>
      </div>
      {request ? (
        <>
          <p className="mt-4 max-w-[70ch]">
            <b className="amber font-semibold">
              {request.by} asked to delete it, {at(request.at)}.
            </b>{' '}
            {mayConfirmNow
              ? `You may carry it out until ${at(request.until)}.`
              : request.mayConfirmFrom
                ? `You are the only owner, so it stands for 24 hours: you may carry it out from ${at(request.mayConfirmFrom)} on.`
                : `Another owner confirms it until ${at(request.until)}; else nothing happens.`}
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            {mayConfirmNow && (
              <button type="button" className="btn btn-ghost" onClick={() => setAct('confirm')}>
                Delete it for good…
              </button>
            )}
            <button
              type="button"
              className="btn btn-ghost"
              aria-disabled={keeping.isPending}
              onClick={() => !keeping.isPending && keeping.mutate()}
            >
              Keep it
            </button>
          </div>
          <Refusal error={keeping.error} />
        </>
      ) : (
        <>
          <p className="mt-4 max-w-[70ch] text-ink-2">
            {obstacle === 'still_inside'
              ? 'Somebody is inside. It can be deleted when everybody is out.'
              : obstacle === 'can_be_started'
                ? 'Candidates can start it, now or later. It can be deleted when its last moment to start has passed, or as a draft while nobody has started.'
                : isDraft
                  ? 'A draft goes at once, with its questions and its list of candidates.'
                  : `Questions, candidates and answers go for good; its line and the log stay, without names. ${ownerCount > 1 ? 'A second owner confirms it within 24 hours.' : 'You are the only owner: what you ask for stands 24 hours, and then you may carry it out.'}`}
          </p>
          {obstacle === null && (
            <button
              type="button"
              className="btn btn-ghost mt-4"
              onClick={() => setAct(isDraft ? 'draft' : 'ask')}
            >
              {isDraft ? 'Delete the draft…' : 'Ask to delete it…'}
            </button>
          )}
        </>
      )}
      <Dialog
        open={act !== null}
        onOpenChange={(open) => !open && setAct(null)}
        title={act === 'ask' ? `Ask to delete ${code}` : `Delete ${code} for good`}
      >
        {act && <TypeTheCode act={act} onDone={() => setAct(null)} facts={found.data} />}
      </Dialog>
    </section>
  )
}

function TypeTheCode(props: {
  act: Act
  onDone: () => void
  facts: {
    version: number
    questionCount: number
    candidateCount: number
    attemptCount: number
    ownerCount: number
  }
}) {
  const { act, facts } = props
  const { society } = useSociety()
  const { code } = useAssessment()
  const client = useQueryClient()
  const navigate = useNavigate()
  const withProof = useProof()
  const [typed, setTyped] = useState('')
  const params = { society: society.id, code }
  const body = { version: facts.version, confirm: typed.trim().toUpperCase() }
  const doing = useMutation({
    mutationFn: () =>
      withProof(() =>
        act === 'draft'
          ? call(deleteDraft, { params, body })
          : act === 'ask'
            ? call(requestDeletion, { params, body })
            : call(confirmDeletion, { params, body: { confirm: body.confirm } }),
      ),
    onSuccess: async () => {
      if (act === 'ask') {
        await client.invalidateQueries({ queryKey: societyKey(society.id) })
        props.onDone()
        return
      }
      toast.success(`${code} is deleted`)
      await navigate(societyUrl(society.id))
      // The page that is left may still be there for a moment, and would ask for what is gone.
      const gone = { queryKey: assessmentKey(society.id, code) }
      await client.invalidateQueries({
        queryKey: societyKey(society.id),
        predicate: (query) => !matchQuery(gone, query),
      })
      client.removeQueries({ ...gone, type: 'inactive' })
    },
  })
  const isTyped = body.confirm === code
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isTyped && !doing.isPending) doing.mutate()
  }
  const { questionCount, candidateCount, attemptCount } = facts
  const all = [
    countOf(questionCount, 'question'),
    countOf(candidateCount, 'candidate'),
    countOf(attemptCount, 'attempt'),
  ].join(', ')
  return (
    <form onSubmit={submit}>
      <p className="mb-4 text-ink-2">
        {act === 'ask'
          ? `${all} would go for good. ${facts.ownerCount > 1 ? 'A second owner confirms it within 24 hours; until then nothing is gone.' : 'You are the only owner: nothing is gone for 24 hours, then you may carry it out.'}`
          : `${all} go for good. There is no way back.`}
      </p>
      <TextField
        label={`Type ${code} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Refusal error={doing.error} />
      <button type="submit" className="btn mt-5" aria-disabled={!isTyped || doing.isPending}>
        {doing.isPending ? 'One moment…' : act === 'ask' ? 'Ask to delete it' : `Delete ${code}`}
      </button>
    </form>
  )
}
