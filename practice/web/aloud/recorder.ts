export type MicrophoneProblem = 'refused' | 'missing' | 'busy' | 'unsupported'

export async function openMicrophone(): Promise<MediaStream | MicrophoneProblem> {
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined') return 'unsupported'
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
    if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
    return 'busy'
  }
}

export interface Recorder {
  loudness(): number
  /** Ends it and closes the microphone. @returns what was said, null when nothing came */
  stop(): Promise<Blob | null>
}

/** One chunk a second, so that what was said before an interruption is there. */
const CHUNK_MS = 1_000
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4']
/** Root mean square of a voice close to a microphone, which fills the meter. */
const LOUD = 0.18

/** Records from a microphone. Throws where the browser can't. `onInterrupted`: unplugged; what came before is kept. */
export function startRecorder(stream: MediaStream, onInterrupted: () => void): Recorder {
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
  const chunks: Blob[] = []
  let isStopping = false
  const interrupted = () => {
    if (isStopping) return
    isStopping = true
    onInterrupted()
  }
  const isOver = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve()
  })
  recorder.ondataavailable = ({ data }) => {
    if (data.size > 0) chunks.push(data)
  }
  recorder.onerror = interrupted
  for (const track of stream.getTracks()) track.addEventListener('ended', interrupted)
  const meter = startMeter(stream)
  recorder.start(CHUNK_MS)

  return {
    loudness: meter.loudness,
    async stop() {
      isStopping = true
      if (recorder.state !== 'inactive') {
        recorder.stop()
        await isOver
      }
      meter.stop()
      for (const track of stream.getTracks()) track.stop()
      return chunks.length > 0 ? new Blob(chunks, { type: recorder.mimeType }) : null
    },
  }
}

/** Where sound can't be measured the meter stays flat, and the recording is the same. */
function startMeter(stream: MediaStream): { loudness: () => number; stop: () => void } {
  try {
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    analyser.fftSize = 1024
    context.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    return {
      loudness() {
        analyser.getFloatTimeDomainData(samples)
        const square = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
        return Math.min(1, Math.sqrt(square) / LOUD)
      },
      stop: () => void context.close().catch(() => {}),
    }
  } catch {
    return { loudness: () => 0, stop: () => {} }
  }
}
