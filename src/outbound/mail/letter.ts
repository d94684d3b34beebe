import frame from '../../../assets/mail/html-frame.txt' with { type: 'text' }
import { templates } from './templates.ts'

/** What a mail says. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** What a template's `{{name}}` stand for. */
type Values = Readonly<Record<string, string | URL>>

/** Fills a template in: the same paragraphs as plain text and as HTML. An address that is a paragraph of its own is a link there. */
export function writeLetter(template: keyof typeof templates, values: Values): Letter {
  const [first = '', ...paragraphs] = templates[template].trim().split(/\n{2,}/)
  const filled = paragraphs.map((paragraph) => linkIn(paragraph, values) ?? fill(paragraph, values))
  return {
    subject: fill(first.replace(/^Subject: /, ''), values),
    text: `${filled.join('\n\n')}\n`,
    html: frame.replace('{{paragraphs}}', () => filled.map(htmlOf).join('\n')),
  }
}

/** Text of people's as headers and sentences may hold it: a line break in a name begins no header and no paragraph. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** What is filled in is text, and not looked at for names again. */
function fill(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => oneLine(String(valueIn(values, name))))
}

function linkIn(paragraph: string, values: Values): URL | undefined {
  const name = /^\{\{(\w+)\}\}$/.exec(paragraph)?.[1]
  const value = name === undefined ? undefined : valueIn(values, name)
  return value instanceof URL ? value : undefined
}

function valueIn(values: Values, name: string): string | URL {
  const value = values[name]
  if (value === undefined) throw new Error(`The template uses ${name}, which has no value`)
  return value
}

function htmlOf(paragraph: string | URL): string {
  const text = Bun.escapeHTML(String(paragraph))
  return paragraph instanceof URL ? `<p><a href="${text}">${text}</a></p>` : `<p>${text}</p>`
}
