import { useMuted } from '../../../platform/web/preferences.ts'

let context: AudioContext | undefined

const SECONDS = 0.05
const HERTZ = 660
/** loud enough to notice, quiet enough for a library */
const VOLUME = 0.06

/** A short beep (product 3.3.4), unless sound is off. Only from a click: browsers start no sound before one. */
export function useBeep(): () => void {
  const [isMuted] = useMuted()
  return isMuted ? () => {} : beep
}

function beep(): void {
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') context.resume().catch(() => {})
    const start = context.currentTime
    const oscillator = context.createOscillator()
    const gain = context.createGain()
    oscillator.frequency.value = HERTZ
    gain.gain.setValueAtTime(VOLUME, start)
    gain.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS)
    oscillator.connect(gain).connect(context.destination)
    oscillator.start(start)
    oscillator.stop(start + SECONDS)
  } catch {
    // No audio device, or too many contexts: a test works without its beep.
  }
}
