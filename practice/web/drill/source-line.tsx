import type { Preset } from '../../drill/presets.ts'

/** After whose test a drill is made, and that it is not theirs (product 3.11.2); nothing where it is ours. */
export function SourceLine({ preset }: { preset: Preset }) {
  const { source, passMark } = preset
  if (!source) return null
  return (
    <p className="hint mt-3 max-w-[70ch]">
      After {source.whose}, as known in {source.year}: {source.told}
      {passMark !== null && `; ${passMark} is said to pass`}. Not affiliated with {source.whose}.
    </p>
  )
}
