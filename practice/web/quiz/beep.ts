import { useMuted } from '../../../platform/web/preferences.ts'

let context: AudioContext | undefined

const SECONDS = 0.05
const HERTZ = 660
/** audible, but quiet enough for a library */
const VOLUME = 0.06

/** Returns a function that beeps (product 3.3.4), unless sound is off. Browsers play sound only after a click. */
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
    // Without an audio device or with too many contexts, the test works without sound.
  }
}
