/** Types of markdown-it's plugins, which bring none. */
declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'
  export default function footnotes(engine: MarkdownIt): void
}

declare module 'markdown-it-emoji' {
  import type { MarkdownIt } from 'markdown-it'
  export function full(engine: MarkdownIt, options?: { shortcuts?: Record<string, string | string[]> }): void
}
