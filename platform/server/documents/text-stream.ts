/** Milliseconds after which a reader that takes nothing is cut off. */
const STALL_MS = 30_000
/** Milliseconds after which even a slow reader is cut off. */
const LONGEST_MS = 10 * 60_000

interface TextStreamOptions {
  /** called once at the end: everything was sent, the reader left or was cut off, or an error */
  onEnd: () => void
  /** called to cut the connection of a reader that is cut off */
  onGivenUp?: () => void
  /** milliseconds */
  stallMs?: number
  /** milliseconds */
  longestMs?: number
}

/** Streams a body as fast as it is read, and stops when its reader stops. */
export function streamText(
  pieces: AsyncIterator<string>,
  { onEnd, onGivenUp, stallMs = STALL_MS, longestMs = LONGEST_MS }: TextStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let hasEnded = false
  let stall: NodeJS.Timeout | undefined
  let longest: NodeJS.Timeout | undefined

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(stall)
    clearTimeout(longest)
    // This waits for the chunk in progress, whose errors no caller can receive.
    pieces.return?.().catch(() => {})
    onEnd()
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        longest = setTimeout(() => giveUp(controller), longestMs).unref()
      },
      async pull(controller) {
        clearTimeout(stall)
        try {
          const piece = await pieces.next()
          if (hasEnded) return
          if (piece.done) {
            end()
            controller.close()
          } else {
            controller.enqueue(encoder.encode(piece.value))
            stall = setTimeout(() => giveUp(controller), stallMs).unref()
          }
        } catch (error) {
          if (hasEnded) return
          end()
          // The connection is cut, so that the reader notices an incomplete response.
          controller.error(error)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )

  function giveUp(controller: ReadableStreamDefaultController): void {
    if (hasEnded) return
    end()
    controller.error(new Error('the reader left'))
    onGivenUp?.()
  }
}
