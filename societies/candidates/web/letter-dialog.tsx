import { useState } from 'react'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { PARAGRAPH_LENGTH } from '../../kit/candidate-limits.ts'
import { ChangedMeanwhile, isStale } from '../../kit/web/console/changed-meanwhile.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { AreaField } from '../../kit/web/fields.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { type CandidateFacts, changeLetter, getLetter } from '../contract.ts'
import { credentialLetter } from '../credential-letter.ts'

type Sample = Pick<CandidateFacts, 'name' | 'username' | 'room' | 'extraSeconds'> | undefined

/** The text of the mail, as candidates will read it, with a paragraph that organizers can add. */
export function LetterDialog(props: { mayChange: boolean; sample: Sample; onClose: () => void }) {
  const { mayChange, sample, onClose } = props
  const place = usePlace()
  const letter = useEndpoint(getLetter, { params: place })
  // With the version it began from: a newer one may be read meanwhile.
  const [written, setWritten] = useState<{ text: string; version: number } | null>(null)
  const version = letter.data?.version ?? 0
  const paragraph = written?.text ?? letter.data?.paragraph ?? ''
  const save = useAct(
    () =>
      call(changeLetter, {
        params: place,
        body: { paragraph, version: written?.version ?? version },
      }),
    () => {
      toast.success('Text saved', 'Mails that haven’t left yet use it too.')
      onClose()
    },
  )
  return (
    <DialogFrame
      title="The text of the mail"
      wide
      button={mayChange ? ['Save the text', 'Saving…'] : null}
      problem={isStale(save.failure) ? null : save.problem}
      isReady={letter.data !== undefined}
      isBusy={save.isBusy}
      onAct={() => letter.data && save.run()}
      onClose={onClose}
    >
      {mayChange && (
        <AreaField
          label="Your own paragraph, plain text"
          rows={3}
          maxLength={PARAGRAPH_LENGTH}
          placeholder="For example, where to go and what to bring"
          value={paragraph}
          onChange={(text) => setWritten({ version, ...written, text })}
        />
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
    </DialogFrame>
  )
}

/** The mail as a candidate reads it, without a password. */
export function LetterPreview({ sample, paragraph }: { sample: Sample; paragraph?: string }) {
  const place = usePlace()
  const assessment = useAssessment()
  const letter = useEndpoint(getLetter, { params: place })
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
          const isText = typeof part === 'string'
          const look = isText ? '' : 'code' in part ? 'font-mono text-[15px]' : 'break-all'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
            <p key={index} className={look}>
              {isText ? part : 'code' in part ? part.code : `${part.button}: ${part.link}`}
            </p>
          )
        })}
      </div>
    </div>
  )
}
