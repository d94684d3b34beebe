interface LabelLook {
  name: string
  /** Six hexadecimal digits. */
  color: string
  description: string
  /** Whether it is the only one of its scope on an issue, as the API and the store have it. */
  exclusive?: boolean
  is_exclusive?: number
}

/** A label: a dot of its colour and its name, so that every colour can be read; the scope of an exclusive one stands apart. */
export function LabelMark({ label, href }: { label: LabelLook; href?: string }) {
  const dot = (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="4.5" fill={`#${label.color}`} stroke="currentColor" stroke-width="0.5" />
    </svg>
  )
  if (href === undefined) return <span class="label">{[dot, ' ', nameOf(label)]}</span>
  return (
    <a class="label" href={href} title={label.description || undefined}>
      {[dot, ' ', nameOf(label)]}
    </a>
  )
}

function nameOf({ name, exclusive, is_exclusive }: LabelLook) {
  const end = name.lastIndexOf('/')
  if ((exclusive !== true && is_exclusive !== 1) || end <= 0 || end === name.length - 1) return name
  return (
    <span>
      <span class="scope">{name.slice(0, end)}</span>/{name.slice(end + 1)}
    </span>
  )
}
