import { Pause, Play } from 'lucide-react'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { clockTime } from '../../../platform/durations.ts'

export interface Sound {
  sound: Blob
  tookMs: number
}

/** Plays a recording (product 3.13.6). The key L starts and stops it through `ref`. */
export function Player(props: { sound: Sound; label: string; ref?: Ref<{ toggle: () => void }> }) {
  const { sound } = props
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [playedMs, setPlayedMs] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  const address = useAddress(sound.sound)

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
      <span aria-hidden className="track block w-full">
        <span style={{ width: `${progress * 100}%` }} />
      </span>
      <p className="hint whitespace-nowrap">
        <span className="max-nav:hidden">{clockTime(Math.floor(playedMs / 1000))} / </span>
        {clockTime(Math.round(sound.tookMs / 1000))}
      </p>
      {hasFailed && (
        <p role="alert" className="hint col-span-full">
          This browser can't play the recording.
        </p>
      )}
      {/* biome-ignore lint/a11y/useMediaCaption: a person's own recording has no captions */}
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
