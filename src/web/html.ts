/** Markup. Only what `jsx-runtime.ts` escapes and what `raw` vouches for becomes one. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What can stand between tags. Booleans and what is absent show nothing. */
export type Child = Html | string | number | boolean | null | undefined | readonly Child[]

/** Most texts and attributes have none of these. */
const special = /["&'<>\0]/

/** Text as HTML shows it, also between quotes. The one character that HTML cannot have is shown as missing; others that show nothing stay what they are. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text
  const escaped = Bun.escapeHTML(text)
  return escaped.includes('\0') ? escaped.replaceAll('\0', '\ufffd') : escaped
}

/** HTML that is safe already: of our sanitiser, or put together with `escapeHtml`. The only way for a text to become markup unescaped. */
export function raw(html: string): Html {
  return new Html(html)
}
