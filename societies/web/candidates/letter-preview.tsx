import { URLS } from '../../../platform/urls.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { type CandidateFacts, getLetter } from '../../contract/candidates.ts'
import { credentialLetter } from '../../credential-letter.ts'
import { useAssessment } from '../console/console.tsx'
import { usePlace } from '../kit/use-act.tsx'

export type Sample = Pick<CandidateFacts, 'name' | 'username' | 'room' | 'extraSeconds'> | undefined

/** The mail as a candidate reads it; in place of the password stands that it is made later. */
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
