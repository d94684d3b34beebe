export { escapeHtml } from '#kernel/escape-html.ts'

/** Markup. Only what `jsx-runtime.ts` escapes and what `raw` vouches for becomes one. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What can stand between tags. Booleans and what is absent show nothing. */
export type Child = Html | string | number | boolean | null | undefined | readonly Child[]

/** HTML that is safe already: of our sanitiser, or put together with `escapeHtml`. The only way for a text to become markup unescaped. */
export function raw(html: string): Html {
  return new Html(html)
}
