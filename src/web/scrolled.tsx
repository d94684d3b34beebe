import type { Child } from './html.ts'

interface ScrolledProps {
  /** What is in it. */
  label: string
  children: Child
}

/** What can be wider than the page, and is then scrolled on its own: with the keyboard, too. */
export function Scrolled({ label, children }: ScrolledProps) {
  return (
    <section class="scrolled" tabindex="0" aria-label={label}>
      {children}
    </section>
  )
}
