import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/web/api.ts'
import { Message, TryAgain } from '../../platform/web/ui/message.tsx'
import { createPart, usePart } from '../../platform/web/ui/on-demand.ts'
import { LoadingNote, Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { readRecord } from '../contract.ts'

const entriesPart = createPart(async () => (await import('./recorded-entries.tsx')).RecordedEntries)

/** What was recorded of an attempt that is over, its receipts and the comment. */
export const recordQuery = (reference: string) =>
  queryOptions({
    queryKey: ['attempt-record', reference],
    queryFn: ({ signal }) => call(readRecord, { params: { reference } }, { signal }),
  })

/** 'What was recorded' of an attempt that is over, folded until somebody wants to know (product 6.10.7). */
export function RecordedLog({ reference }: { reference: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const record = useQuery({ ...recordQuery(reference), enabled: isOpen })
  const RecordedEntries = usePart(entriesPart, { open: isOpen, onOpenChange: setIsOpen })
  return (
    <details
      open={isOpen}
      className="mt-10 max-w-[640px] border-line border-t pt-4"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="w-fit cursor-pointer rounded-md py-1 text-ink-2 underline-offset-4 hover:underline">
        What was recorded
      </summary>
      <div className="pt-4">
        {record.isError ? (
          <Message
            title="The record could not be loaded"
            isError
            actions={<TryAgain onClick={() => void record.refetch()} isBusy={record.isFetching} />}
          />
        ) : record.data && RecordedEntries ? (
          <RecordedEntries record={record.data} />
        ) : (
          isOpen && (
            <>
              <LoadingNote>Loading what was recorded</LoadingNote>
              <Skeleton className="h-24 w-full" />
            </>
          )
        )}
      </div>
    </details>
  )
}
