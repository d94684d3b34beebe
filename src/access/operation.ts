import { t } from 'elysia'
import type { RouteDetail } from '#kernel/slice.ts'

/**
 * What a route says of itself in the API document, for its `detail`.
 * @param id the name that Gitea's document has for the operation, from which clients make their methods
 */
export function operation(id: string, summary: string, ...tags: string[]): RouteDetail {
  return { operationId: id, summary, tags }
}

/** The `response` of a route that answers nothing but that it is done. */
export const noContent = { 204: t.Void() }
