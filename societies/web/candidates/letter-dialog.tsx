import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { PARAGRAPH_LENGTH } from '../../candidate-limits.ts'
import { changeLetter, getLetter } from '../../contract/candidates.ts'
import { ChangedMeanwhile, isStale } from '../console/changed-meanwhile.tsx'
import { DialogFrame } from '../kit/dialog-frame.tsx'
import { AreaField } from '../kit/fields.tsx'
import { useAct, usePlace } from '../kit/use-act.tsx'
import { LetterPreview, type Sample } from './letter-preview.tsx'

/** The text of the mail, as it will be read, and the paragraph that organisers may write into it. */
export function LetterDialog(props: { mayChange: boolean; sample: Sample; onClose: () => void }) {
  const { mayChange, sample, onClose } = props
  const place = usePlace()
  const letter = useEndpoint(getLetter, { params: place })
  // With the version that it was begun from: the list behind the dialog may read a newer one.
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
      toast.success('Text saved', 'Mails that have not left yet have it too.')
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
          label="A paragraph of yours, plain text"
          rows={3}
          maxLength={PARAGRAPH_LENGTH}
          placeholder="For example where to come, and what to bring"
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
