import { useEffect, useRef, useState } from 'react'
import { SPEAKING_SECONDS } from '../../aloud/spoken-prompt.ts'

const LIMIT_MS = SPEAKING_SECONDS * 1000
const STEP_MS = 100
const HEARD = 0.06

export interface Spoken {
  tookMs: number
  isTimeUp: boolean
  /** null without a microphone */
  sound: Blob | null
  /** when the microphone was lost, in milliseconds from the start, or null */
  interruptedAtMs: number | null
  hiddenMs: number
}

interface Take {
  startedAtMs: number
  recorder: Recorder | null
  /** the current loudness, from 0 to 1 */
  loudness: number
  interruptedAtMs: number | null
  hiddenMs: number
  hiddenSinceMs: number | null
  timer: number
}

type SpeakingPhase = 'ready' | 'asking' | 'speaking' | 'stopping'

/** Times ninety seconds of speaking, with or without a microphone, even on a hidden page (product 3.13.4, 3.13.5). */
export function useSpeaking(onDone: (spoken: Spoken) => void) {
  const [phase, setPhase] = useState<SpeakingPhase>('ready')
  const [problem, setProblem] = useState<MicrophoneProblem | null>(null)
  const [secondsUsed, setSecondsUsed] = useState(0)
  const [isHeard, setHeard] = useState(false)
  const [interruptedAtMs, setInterruptedAtMs] = useState<number | null>(null)
  const take = useRef<Take | null>(null)
  const isHere = useRef(true)

  useEffect(() => {
    isHere.current = true
    const onVisibility = () => {
      const now = take.current
      if (!now) return
      if (document.visibilityState === 'hidden') now.hiddenSinceMs = performance.now()
      else countHidden(now)
    }
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      isHere.current = false
      void end(take)
    }
  }, [])

  function begin(recorder: Recorder | null): void {
    take.current = {
      startedAtMs: performance.now(),
      recorder,
      loudness: 0,
      interruptedAtMs: null,
      hiddenMs: 0,
      hiddenSinceMs: null,
      timer: window.setInterval(step, STEP_MS),
    }
    setSecondsUsed(0)
    setHeard(false)
    setInterruptedAtMs(null)
    setPhase('speaking')
  }

  function step(): void {
    const now = take.current
    if (!now) return
    const elapsedMs = elapsedOf(now)
    const isRecorded = now.recorder && now.interruptedAtMs === null
    now.loudness = isRecorded ? (now.recorder?.loudness() ?? 0) : 0
    if (now.loudness > HEARD) setHeard(true)
    setSecondsUsed(Math.floor(elapsedMs / 1000))
    if (elapsedMs >= LIMIT_MS) void finish()
  }

  function onInterrupted(): void {
    const now = take.current
    if (!now) return
    now.interruptedAtMs = elapsedOf(now)
    setInterruptedAtMs(now.interruptedAtMs)
  }

  async function finish(): Promise<void> {
    const now = take.current
    if (!now) return
    countHidden(now)
    const tookMs = elapsedOf(now)
    setPhase('stopping')
    const sound = await end(take)
    if (!isHere.current) return
    setPhase('ready')
    onDone({
      tookMs,
      isTimeUp: tookMs >= LIMIT_MS,
      sound,
      interruptedAtMs: now.interruptedAtMs,
      hiddenMs: now.hiddenMs,
    })
  }

  return {
    phase,
    problem,
    secondsUsed,
    isHeard,
    interruptedAtMs,
    async record(): Promise<void> {
      if (phase !== 'ready') return
      setPhase('asking')
      setProblem(null)
      const opened = await openMicrophone()
      if (!isHere.current) {
        if (typeof opened !== 'string') for (const track of opened.getTracks()) track.stop()
        return
      }
      try {
        if (typeof opened !== 'string') return begin(startRecorder(opened, onInterrupted))
        setProblem(opened)
      } catch {
        setProblem('busy')
      }
      setPhase('ready')
    },
    startClock(): void {
      if (phase === 'ready') begin(null)
    },
    finish,
    startAgain(): void {
      void end(take)
      setSecondsUsed(0)
      setPhase('ready')
    },
    loudnessNow: () => take.current?.loudness ?? 0,
    isRecording: () => take.current?.recorder != null,
  }
}

const elapsedOf = (take: Take) => Math.min(performance.now() - take.startedAtMs, LIMIT_MS)

function countHidden(take: Take): void {
  if (take.hiddenSinceMs !== null) take.hiddenMs += performance.now() - take.hiddenSinceMs
  take.hiddenSinceMs = null
}

async function end(take: { current: Take | null }): Promise<Blob | null> {
  const ended = take.current
  take.current = null
  if (!ended) return null
  clearInterval(ended.timer)
  return (await ended.recorder?.stop()) ?? null
}

export type MicrophoneProblem = 'refused' | 'missing' | 'busy' | 'unsupported'

async function openMicrophone(): Promise<MediaStream | MicrophoneProblem> {
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

interface Recorder {
  loudness(): number
  /** Stops recording and closes the microphone. @returns the recording, or null if there is none */
  stop(): Promise<Blob | null>
}

/** With a chunk per second, everything before an interruption is kept. */
const CHUNK_MS = 1_000
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4']
/** The root mean square of a voice close to the microphone. It fills the meter. */
const LOUD = 0.18

/** Records from a microphone. Throws if the browser can't. `onInterrupted` runs if it's unplugged. */
function startRecorder(stream: MediaStream, onInterrupted: () => void): Recorder {
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

/** If sound can't be measured, the meter stays flat, but the recording works. */
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
