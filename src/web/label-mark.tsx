interface LabelLook {
  name: string
  /** Six hexadecimal digits. */
  color: string
  description: string
}

/** A label: a dot of its colour and its name, so that every colour can be read. */
export function LabelMark({ label, href }: { label: LabelLook; href?: string }) {
  const dot = (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="4.5" fill={`#${label.color}`} stroke="currentColor" stroke-width="0.5" />
    </svg>
  )
  if (href === undefined) return <span class="label">{[dot, ' ', label.name]}</span>
  return (
    <a class="label" href={href} title={label.description || undefined}>
      {[dot, ' ', label.name]}
    </a>
  )
}
