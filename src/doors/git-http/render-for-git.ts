import type { Problem } from '#kernel/errors.ts'
import { securityHeaders } from '#kernel/http.ts'

export const noCache = { 'Cache-Control': 'no-cache, max-age=0, must-revalidate', Expires: 'Fri, 01 Jan 1980 00:00:00 GMT', Pragma: 'no-cache' }

/** A problem in git's manner: the client shows its user plain text, and nothing else. */
export function renderForGit(problem: Problem): Response {
  return new Response(problem.status === 301 || problem.status === 307 ? null : `${problem.message}\n`, {
    status: problem.status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...securityHeaders, ...noCache, ...problem.headers },
  })
}
