/** Types of markdown-it's plugins, which bring none. */
declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'
  export default function footnotes(engine: MarkdownIt): void
}

declare module 'markdown-it-emoji/lib/data/full.mjs' {
  /** By names without colons. */
  const pictures: Record<string, string>
  export default pictures
}
