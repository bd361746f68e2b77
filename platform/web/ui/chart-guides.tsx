/** The numbers beside a chart of scores, each at the height of its line; stands in a positioned box. */
export function GuideLabels(props: {
  values: readonly number[]
  /** where a value lies, in the picture's units from its top */
  y: (value: number) => number
  height: number
}) {
  return props.values.map((value) => (
    <span
      key={value}
      className="-translate-y-1/2 absolute leading-none"
      style={{ top: `${(props.y(value) / props.height) * 100}%` }}
    >
      {value}
    </span>
  ))
}

/** The lines across a chart of scores, the one at nothing stronger. */
export function GuideLines(props: {
  values: readonly number[]
  y: (value: number) => number
  width: number
}) {
  return props.values.map((value) => (
    <line
      key={value}
      x1={0}
      x2={props.width}
      y1={props.y(value)}
      y2={props.y(value)}
      stroke={value === 0 ? 'var(--line-strong)' : 'var(--line)'}
      vectorEffect="non-scaling-stroke"
    />
  ))
}
