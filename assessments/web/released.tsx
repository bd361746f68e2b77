import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../platform/web/api.ts'
import { readReleasedResult } from '../contract.ts'
import { releasedParagraphs, scoreShown } from '../released-result.ts'

const releasedQuery = (reference: string) =>
  queryOptions({
    queryKey: ['released-result', reference],
    queryFn: ({ signal }) => call(readReleasedResult, { params: { reference } }, { signal }),
    // There seldom is one, and the page says all that matters without it.
    retry: false,
  })

/** The own result, once the society has released it (product 6.10.11): nothing before. */
export function Released({ reference }: { reference: string }) {
  const result = useQuery(releasedQuery(reference)).data?.result
  if (!result) return null
  return (
    <section aria-labelledby="released" className="mt-10 max-w-[560px]">
      <h2 id="released" className="border-ink border-b pb-2 text-[22px]">
        Your result
      </h2>
      <p className="mt-4 text-pretty text-ink-2">
        {result.society} has released the results. Each candidate reads the own one alone.
      </p>
      <p className="mt-4 font-serif text-[40px] leading-none">{scoreShown(result)}</p>
      {releasedParagraphs(result).map((text) => (
        <p key={text} className="mt-4 text-pretty">
          {text}
        </p>
      ))}
      {result.words && (
        <blockquote className="mt-5 whitespace-pre-line text-pretty border-line-strong border-l-2 pl-4">
          {result.words}
        </blockquote>
      )}
    </section>
  )
}
