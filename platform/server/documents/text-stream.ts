/** A reader that takes nothing for so long is given up: nobody waits longer for an answer to go on. */
const STALL_MS = 30_000
/** Nor does one who takes a crumb now and then hold on to it for ever. */
const LONGEST_MS = 10 * 60_000

interface TextStreamOptions {
  /** told once, however it ends: all sent, the reader gone or given up, or an error */
  onEnd: () => void
  /** told when the reader is given up, to cut the connection */
  onGivenUp?: () => void
  /** milliseconds */
  stallMs?: number
  /** milliseconds */
  longestMs?: number
}

/** A body that is made as fast as it is read, and dropped when its reader stops. */
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
    // One that is just being made is waited for; what fails then has nobody to hear it.
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
          // Half an answer is no answer: the connection is cut, and the reader sees that it is not whole.
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
    controller.error(new Error('nobody reads the answer'))
    onGivenUp?.()
  }
}
