import type { Visit } from './visit.ts'

interface WaysProps {
  visit: Visit
  /** What is chosen by them. */
  label: string
  /** The parameter that says it. */
  name: string
  /** Values with what people read; undefined for all. */
  choices: readonly (readonly [value: string | undefined, text: string])[]
  now: string | undefined
  /** Parameters that say nothing of what is shown then, as the number of a page. */
  without?: readonly string[] | undefined
}

/** A choice of what a page shows, each a link to the same page; what else its address says stays. */
export function Ways({ visit, label, name, choices, now, without = [] }: WaysProps) {
  return (
    <nav class="ways" aria-label={label}>
      {choices.map(([value, text]) => (
        <a
          href={hereWith(visit, { [name]: value, ...Object.fromEntries(without.map((one) => [one, undefined])) })}
          aria-current={value === now ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}

/** The address of this page with other parameters; undefined takes one away. */
export function hereWith(visit: Visit, values: Readonly<Record<string, string | undefined>>): string {
  const [path = '', query] = visit.path.split('?')
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
  return parameters.size === 0 ? visit.below(path) : `${visit.below(path)}?${parameters}`
}
