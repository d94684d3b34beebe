/** What a mail says. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** The same paragraphs as plain text and as HTML; an URL is a paragraph of its own, and a link. */
export function writeLetter(subject: string, paragraphs: readonly (string | URL)[]): Letter {
  return {
    subject: oneLine(subject),
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!DOCTYPE html>\n<html><body>\n${paragraphs.map(htmlOf).join('\n')}\n</body></html>\n`,
  }
}

/** Text of people's as headers and sentences may hold it: a line break in a name begins no header and no paragraph. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function htmlOf(paragraph: string | URL): string {
  const text = Bun.escapeHTML(String(paragraph))
  return paragraph instanceof URL ? `<p><a href="${text}">${text}</a></p>` : `<p>${text}</p>`
}
