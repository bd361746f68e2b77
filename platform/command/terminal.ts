import { showControls } from '../server/control-characters.ts'

/**
 * Whatever text is written to a stream from now on is shown like this, from wherever it comes: a command
 * that is added needs not think of it. Bytes go through as they are.
 */
export function guardStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? showControls(chunk) : chunk, ...rest)
}
