import { escapeHtml, type Html } from './html.ts'

/** RSS 2.0 and Atom (RFC 4287). */
export type FeedForm = 'rss' | 'atom'

export interface Feed {
  title: string
  /** The page that tells the same to people, and the feed's own address; whole addresses. */
  link: string
  self: string
  items: readonly FeedItem[]
}

export interface FeedItem {
  /** Stays the same for ever; of no other item on this server. */
  id: string
  title: string
  link: string
  author: string
  /** Seconds since 1970. */
  at: number
  /** What there is to read of it. */
  content?: Html
  /** The same where it is no markup. */
  text?: string
}

/** `engine.rss` as the name before the ending, and the form; undefined for a name without such an ending. */
export function parseFeedName(text: string): { name: string; form: FeedForm } | undefined {
  const [, name, form] = /^(.+)\.(rss|atom)$/i.exec(text) ?? []
  return name === undefined ? undefined : { name, form: form?.toLowerCase() as FeedForm }
}

/** A feed as readers ask for it. What it shows may hang on who asks, so nobody else keeps it. */
export function answerFeed(feed: Feed, form: FeedForm): Response {
  const text = form === 'rss' ? rss(feed) : atom(feed)
  const headers = { 'Content-Type': `application/${form}+xml; charset=utf-8`, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache' }
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`, { headers })
}

function rss({ title, link, self, items }: Feed): string {
  const entries = items.map((item) =>
    element('item', [
      text('title', item.title),
      text('link', item.link),
      text('description', htmlOf(item)),
      text('dc:creator', item.author),
      `<guid isPermaLink="false">${escapeXml(item.id)}</guid>`,
      text('pubDate', timeOf(item.at).toUTCString()),
    ]),
  )
  const own = `<atom:link href="${escapeXml(self)}" rel="self" type="application/rss+xml"/>`
  const channel = element('channel', [text('title', title), text('link', link), text('description', title), own, ...entries])
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">${channel}</rss>`
}

function atom({ title, link, self, items }: Feed): string {
  const entries = items.map((item) =>
    element('entry', [
      text('title', item.title),
      `<link href="${escapeXml(item.link)}"/>`,
      text('id', item.id),
      text('updated', timeOf(item.at).toISOString()),
      element('author', [text('name', item.author)]),
      `<content type="html">${escapeXml(htmlOf(item))}</content>`,
    ]),
  )
  const links = [`<link href="${escapeXml(link)}"/>`, `<link href="${escapeXml(self)}" rel="self"/>`]
  const head = [text('title', title), text('id', self), text('updated', timeOf(items[0]?.at ?? 0).toISOString()), ...links]
  return `<feed xmlns="http://www.w3.org/2005/Atom">${[...head, ...entries].join('')}</feed>`
}

function htmlOf({ content, text = '' }: FeedItem): string {
  return content?.text ?? (text.trim() === '' ? '' : `<pre>${escapeHtml(text.trim())}</pre>`)
}

/** Commits can say any time at all. */
function timeOf(at: number): Date {
  return new Date(Math.min(Math.max(at, 0), LAST_SECOND) * 1000)
}

/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799

function element(name: string, parts: readonly string[]): string {
  return `<${name}>${parts.join('')}</${name}>`
}

function text(name: string, content: string): string {
  return `<${name}>${escapeXml(content)}</${name}>`
}

/** Text as XML has it, without the characters that XML 1.0 cannot have at all. */
function escapeXml(content: string): string {
  return Bun.escapeHTML(content.toWellFormed().replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '�')).replaceAll('&#x27;', '&#39;')
}
