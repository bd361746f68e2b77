import { useCallback, useEffect, useState } from 'react'
import { fetchFile } from '../../../platform/web/api.ts'
import { dataUrl } from '../../../platform/web/save-file.ts'
import type { ShownPicture } from '../../../platform/web/ui/exhibit.tsx'
import { CANDIDATE_TOKEN_HEADER, getExhibitPicture } from '../../contract.ts'
import type { Question } from '../attempt/attempt-view.ts'
import type { Candidate } from '../attempt/candidate.ts'

/** Pauses before a picture that did not come is asked for again, milliseconds. */
const PAUSES_MS = [1_000, 4_000]

/** The pictures of a test, fetched one after the other and kept in the page (product 7.9.13). */
export function usePictures(
  candidate: Candidate,
  questions: readonly Question[],
): (picture: string) => ShownPicture {
  const [urls, setUrls] = useState<ReadonlyMap<string, string | null>>(new Map())
  const [tries, setTries] = useState(0)
  const wanted = [
    ...new Set(
      questions.flatMap(({ exhibit }) => (exhibit?.kind === 'picture' ? exhibit.picture : [])),
    ),
  ].join(' ')

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by its number
  useEffect(() => {
    if (wanted === '') return
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      for (const picture of wanted.split(' ')) {
        const url = await fetchPicture(candidate, picture, signal)
        if (signal.aborted) return
        setUrls((before) => {
          // What is here stays, whatever became of another try.
          const kept = url ?? before.get(picture) ?? null
          return new Map(before).set(picture, kept)
        })
      }
    }
    void load()
    return () => controller.abort()
  }, [candidate, wanted, tries])

  const onTryAgain = useCallback(() => {
    setUrls((before) => new Map([...before].filter(([, url]) => url !== null)))
    setTries((count) => count + 1)
  }, [])

  return (picture) => {
    const url = urls.get(picture)
    if (url === undefined) return { state: 'loading' }
    return url === null ? { state: 'failed', onTryAgain } : { state: 'ready', url }
  }
}

/** Its address within the page; null when it can't be had. */
async function fetchPicture(
  { code, token }: Candidate,
  picture: string,
  signal: AbortSignal,
): Promise<string | null> {
  for (const pauseMs of [0, ...PAUSES_MS]) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (signal.aborted) return null
    try {
      const headers = { [CANDIDATE_TOKEN_HEADER]: token }
      const params = { code, picture }
      return await dataUrl(await fetchFile(getExhibitPicture, { params }, { headers, signal }))
    } catch {
      // The next try, or the button.
    }
  }
  return null
}
