import { useMutation } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../platform/web/api.ts'
import { Dialog } from '../../platform/web/ui/dialog.tsx'
import { toast } from '../../platform/web/ui/toast.tsx'
import {
  REPORT_DETAILS_LIMIT,
  REPORT_REASONS,
  type ReportReason,
  reportQuestion,
} from '../contract.ts'

const REASON_WORDS: Record<ReportReason, string> = {
  wrong_answer: 'The marked answer is wrong',
  unclear: 'The question is unclear',
  typo: 'There is a typo or a wrong figure',
  other: 'Something else',
}

export function ReportProblem({ questionId, number }: { questionId: number; number: number }) {
  const [isOpen, setOpen] = useState(false)
  // The state is above the dialog, so the text survives a failed try or a closed dialog.
  const [report, setReport] = useState(newReport)
  const [isReasonMissing, setReasonMissing] = useState(false)
  const formId = useId()
  const send = useMutation({
    mutationFn: (reason: ReportReason) =>
      call(reportQuestion, {
        params: { id: String(questionId) },
        body: { id: report.id, reason, details: report.details },
      }),
    onSuccess: () => {
      setOpen(false)
      setReport(newReport())
      toast.success('Thank you', 'Your report is on its way to our editors.')
    },
    onError: () =>
      toast.error('Your report could not be sent. Please try again.', 'Your text is still there.'),
  })

  function open(): void {
    setReasonMissing(false)
    setOpen(true)
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (!report.reason) setReasonMissing(true)
    else if (!send.isPending) send.mutate(report.reason)
  }

  return (
    <>
      <button
        type="button"
        className="mt-3 -ml-1 inline-flex min-h-9 items-center gap-2 px-1 text-[13.5px] text-ink-2 underline-offset-3 hover:text-ink hover:underline"
        onClick={open}
      >
        <Flag size={14} aria-hidden />
        Report a problem
        <span className="sr-only"> with question {number}</span>
      </button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Report a problem">
        <form onSubmit={onSubmit} noValidate>
          <fieldset aria-describedby={isReasonMissing ? `${formId}-missing` : undefined}>
            <legend className="font-medium text-[15px]">What is the problem?</legend>
            <div className="mt-2">
              {REPORT_REASONS.map((reason) => (
                <label key={reason} className="flex min-h-10 cursor-pointer items-center gap-3">
                  <input
                    type="radio"
                    name={`${formId}-reason`}
                    className="size-4 accent-accent"
                    checked={report.reason === reason}
                    onChange={() => {
                      setReasonMissing(false)
                      setReport({ ...report, reason })
                    }}
                  />
                  {REASON_WORDS[reason]}
                </label>
              ))}
            </div>
            <p id={`${formId}-missing`} role="alert" className="grade-wrong text-[14px]">
              {isReasonMissing && 'Please choose a reason.'}
            </p>
          </fieldset>
          <label htmlFor={`${formId}-details`} className="mt-4 block font-medium text-[15px]">
            Details (optional)
          </label>
          <textarea
            id={`${formId}-details`}
            className="field mt-2 block min-h-28 py-2.5"
            maxLength={REPORT_DETAILS_LIMIT}
            value={report.details}
            onChange={(event) => setReport({ ...report, details: event.target.value })}
          />
          <div className="mt-5 flex flex-wrap gap-3">
            <button type="submit" className="btn" aria-disabled={send.isPending}>
              {send.isPending ? 'Sending…' : 'Send report'}
            </button>
            <button type="button" className="btn btn-ghost" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
        </form>
      </Dialog>
    </>
  )
}

/** The id is made once per report, so a retry is stored only once. */
function newReport(): { id: string; reason: ReportReason | null; details: string } {
  return { id: crypto.randomUUID(), reason: null, details: '' }
}
