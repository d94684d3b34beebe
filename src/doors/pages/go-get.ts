import { anonymous } from '#access/index.ts'
import type { Context } from '#context.ts'
import { pathOf } from '#kernel/http.ts'
import { escapeHtml, Visit } from '#web/index.ts'

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

/**
 * Tells the go command where the module of an address is cloned from: `?go-get=1` behind any path of a repository. It is made from
 * the address alone: repositories that are hidden, absent and there look the same. Source: go.dev/ref/mod, "vcs-find".
 * @returns undefined for addresses that are in no repository
 */
export function answerGoGet(context: Context, request: Request): Response | undefined {
  const [, owner, name] = /^\/([-.\w]{1,40})\/([-.\w]{1,100}?)(?:\.git)?(?:\/|$)/.exec(pathOf(request.url)) ?? []
  if (owner === undefined || name === undefined || request.method !== 'GET') return undefined
  const home = `${new Visit(context, anonymous, request).root}${owner}/${name}`
  const prefix = escapeHtml(home.replace(/^https?:\/\//, ''))
  const meta = `<meta name="go-import" content="${prefix} git ${escapeHtml(home)}.git">`
  return new Response(`<!DOCTYPE html>\n<html lang="en"><head><title>go get</title>${meta}</head><body>go get ${prefix}</body></html>\n`, { headers })
}
