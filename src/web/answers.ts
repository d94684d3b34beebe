import { rawHeaders } from '#kernel/http.ts'
import type { Html } from './html.ts'

/**
 * Nothing from anywhere else, no script in the page itself, no frame around it; forms go to ourselves. Our script makes no markup of
 * texts, so nobody gets a policy by which that would be trusted.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** With `no-referrer` browsers would send `Origin: null` with forms, which is how we know our own. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'private, no-cache',
  Vary: 'Cookie, Accept, Accept-Encoding, User-Agent',
}

/** A whole page as an answer. */
export function answerPage(page: Html, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(`<!DOCTYPE html>${page.text}`, { status, headers: { ...pageHeaders, ...headers } })
}

/** Where a form leads when it is done: its page is not sent twice by reloading. */
export function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } })
}

/**
 * The same page as text, for who asks from a terminal; any other answer as it is.
 * @param line who asks
 * @throws as `readAsText`
 */
export async function answerInText(answer: Response, line: string): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('text/html')) return answer
  const { readAsText } = await import('./text-thread.ts')
  const html = await answer.text()
  const text = await readAsText(html, line)
  if (text === undefined) return new Response(html, answer)
  const headers = { ...rawHeaders, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'private, no-cache', Vary: pageHeaders.Vary }
  return new Response(text, { status: answer.status, headers })
}
