import { Pause, Play } from 'lucide-react'
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { clockTime } from '../../../platform/durations.ts'

const BARS = 76
const WIDTH = 400
const HALF = 20

export interface Sound {
  sound: Blob
  /** how loud it was, from 0 to 1, in equal steps from its start to its end */
  loudness: number[]
  tookMs: number
}

/** Plays a recording, with a waveform that fills (product 3.13.6). `ref` starts and stops it, for the key L. */
export function Player(props: { sound: Sound; label: string; ref?: Ref<{ toggle: () => void }> }) {
  const { sound } = props
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [playedMs, setPlayedMs] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  const address = useAddress(sound.sound)
  const bars = useMemo(() => barsOf(sound.loudness), [sound.loudness])

  function toggle(): void {
    const element = audio.current
    if (!element) return
    if (!element.paused) element.pause()
    else element.play().catch(() => setFailed(true))
  }
  useImperativeHandle(props.ref, () => ({ toggle }))

  const progress = Math.min(1, playedMs / Math.max(1, sound.tookMs))
  return (
    <div className="panel aloud-player">
      <button type="button" className="btn btn-ghost" onClick={toggle}>
        {isPlaying ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        {isPlaying ? 'Pause' : props.label}
      </button>
      <svg
        viewBox={`0 0 ${WIDTH} 44`}
        preserveAspectRatio="none"
        className="aloud-wave"
        aria-hidden="true"
      >
        {bars.map((bar, index) => (
          <line
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={index}
            x1={(index + 0.5) * (WIDTH / BARS)}
            x2={(index + 0.5) * (WIDTH / BARS)}
            y1={22 - bar}
            y2={22 + bar}
            data-played={index / BARS < progress}
          />
        ))}
      </svg>
      <p className="hint whitespace-nowrap">
        <span className="max-nav:hidden">{clockTime(Math.floor(playedMs / 1000))} / </span>
        {clockTime(Math.round(sound.tookMs / 1000))}
      </p>
      {hasFailed && (
        <p role="alert" className="hint col-span-full">
          This browser can't play the recording.
        </p>
      )}
      {/* biome-ignore lint/a11y/useMediaCaption: what oneself just said has no captions */}
      <audio
        ref={audio}
        src={address}
        preload="auto"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => {
          setPlaying(false)
          setPlayedMs(sound.tookMs)
        }}
        onTimeUpdate={({ currentTarget }) => setPlayedMs(currentTarget.currentTime * 1000)}
        onError={() => setFailed(true)}
      />
    </div>
  )
}

function useAddress(blob: Blob): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}

/** A quiet voice fills the picture too; what is softer than this is no voice. */
const SOFTEST = 0.2

function barsOf(loudness: readonly number[]): number[] {
  const loudest = Math.max(SOFTEST, ...loudness)
  return Array.from({ length: BARS }, (_, bar) => {
    const from = Math.floor((bar * loudness.length) / BARS)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * loudness.length) / BARS))
    return 1 + (HALF * Math.max(0, ...loudness.slice(from, to))) / loudest
  })
}
