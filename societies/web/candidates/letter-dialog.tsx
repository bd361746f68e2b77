import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { PARAGRAPH_LENGTH } from '../../candidate-limits.ts'
import { type CandidateFacts, changeLetter } from '../../contract/candidates.ts'
import { credentialLetter } from '../../credential-letter.ts'
import { ChangedMeanwhile, isStale } from '../console/changed-meanwhile.tsx'
import { useAssessment } from '../console/console.tsx'
import { useAct, usePlace } from '../kit/use-act.tsx'
import { letterQuery } from './queries.ts'

type Sample = Pick<CandidateFacts, 'name' | 'username' | 'room' | 'extraSeconds'> | undefined

/** The text of the mail, as it will be read, and the paragraph that organisers may write into it. */
export function LetterDialog(props: { mayChange: boolean; sample: Sample; onClose: () => void }) {
  const { mayChange, sample, onClose } = props
  const place = usePlace()
  const client = useQueryClient()
  const letter = useQuery(letterQuery(place))
  // With the version that it was begun from: the list behind the dialog may read a newer one.
  const [written, setWritten] = useState<{ text: string; version: number } | null>(null)
  const id = useId()
  const version = letter.data?.version ?? 0
  const paragraph = written?.text ?? letter.data?.paragraph ?? ''
  const save = useAct(
    () =>
      call(changeLetter, {
        params: place,
        body: { paragraph, version: written?.version ?? version },
      }),
    () => {
      void client.invalidateQueries({ queryKey: letterQuery(place).queryKey })
      toast.success('The text is saved', 'Mails that have not left yet have it too.')
      onClose()
    },
  )
  return (
    <Dialog open onOpenChange={onClose} title="The text of the mail" wide>
      <div className="grid gap-4">
        {mayChange && (
          <div>
            <label htmlFor={id} className="label">
              A paragraph of yours, plain text
            </label>
            <textarea
              id={id}
              rows={3}
              className="field w-full"
              maxLength={PARAGRAPH_LENGTH}
              placeholder="For example where to come, and what to bring"
              value={paragraph}
              onChange={(event) => setWritten({ version, ...written, text: event.target.value })}
            />
          </div>
        )}
        <LetterPreview sample={sample} paragraph={paragraph} />
        <ChangedMeanwhile
          error={save.failure}
          typed={paragraph}
          onReload={() => {
            // It was read again after the refusal.
            setWritten(null)
            save.reset()
          }}
          onPutBack={(text) => setWritten({ text, version })}
        />
        {save.problem && !isStale(save.failure) && (
          <p role="alert" className="amber">
            {save.problem}
          </p>
        )}
        {mayChange && (
          <div className="flex justify-end gap-2">
            <button type="button" className="btn btn-ghost" onClick={onClose}>
              Cancel
            </button>
            <button
              type="button"
              className="btn"
              aria-disabled={save.isBusy || !letter.data}
              onClick={() => letter.data && save.run(undefined)}
            >
              {save.isBusy ? 'Saving…' : 'Save the text'}
            </button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** The mail as a candidate reads it; in place of the password stands that it is made later. */
export function LetterPreview({ sample, paragraph }: { sample: Sample; paragraph?: string }) {
  const place = usePlace()
  const assessment = useAssessment()
  const letter = useQuery(letterQuery(place))
  if (!letter.data) return <p className="text-ink-2">Loading the text…</p>
  const { opensAt, closesAt } = assessment
  const { subject, parts } = credentialLetter(
    {
      ...assessment,
      ...letter.data,
      opensAt: opensAt ? new Date(opensAt) : null,
      closesAt: closesAt ? new Date(closesAt) : null,
      paragraph: paragraph ?? letter.data.paragraph,
    },
    {
      ...(sample ?? { name: 'Ana Silva', username: 'ana.silva', extraSeconds: 0, room: '2.11' }),
      // Each candidate's own; it is made when the mail leaves.
      rehearsalLink: `${location.origin}${URLS.rehearsal}#…`,
    },
    'made when the mail leaves',
  )
  return (
    <div className="rounded-md border border-line bg-paper px-5 py-4 text-[13.5px]">
      <p className="mb-3 border-line border-b pb-2">
        <span className="text-ink-2">Subject:</span> <b className="font-medium">{subject}</b>
      </p>
      <div className="grid gap-2">
        {parts.map((part, index) => {
          // The parts of one text: their places are what they are.
          const key = `${index}`
          if (typeof part === 'string') return <p key={key}>{part}</p>
          if ('code' in part) {
            return (
              <p key={key} className="font-mono text-[15px]">
                {part.code}
              </p>
            )
          }
          return (
            <p key={key} className="break-all">
              {part.button}: {part.link}
            </p>
          )
        })}
      </div>
    </div>
  )
}
