import type { Child } from './html.ts'

/** Marks at the end of an address are the sentence's, and a bracket that was opened before it. */
const address = /https?:\/\/[^\s<>"]{1,2000}/gi
const MAX_LINKS = 20

/** Plain text whose addresses are links. Nothing else in it is markup. */
export function Linked({ text }: { text: string }) {
  const parts: Child[] = []
  let done = 0
  for (const found of [...text.matchAll(address)].slice(0, MAX_LINKS)) {
    const href = withoutEnd(found[0])
    if (!URL.canParse(href)) continue
    parts.push(text.slice(done, found.index))
    parts.push(
      <a href={href} rel="nofollow noopener">
        {href}
      </a>,
    )
    done = found.index + href.length
  }
  return (
    <>
      {parts}
      {text.slice(done)}
    </>
  )
}

function withoutEnd(found: string): string {
  const bare = found.replace(/[.,;:!?'*]{1,100}$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? withoutEnd(bare.slice(0, -1)) : bare
}
