import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { assetRoutes } from './asset-routes.ts'
import { releaseRoutes } from './release-routes.ts'

/** Releases and their files. */
export function releases(context: Context) {
  return new Elysia({ name: 'releases' }).use(releaseRoutes(context)).use(assetRoutes(context))
}
