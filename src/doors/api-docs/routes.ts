import { Elysia } from 'elysia'
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { JSON_TYPE } from '#kernel/http.ts'
import type { RouteSource } from '#kernel/slice.ts'
import { describeApi } from './document.ts'
import type { DocumentationPage } from './page.ts'
import type { SwaggerSchema } from './schemas.ts'

const hidden = { detail: { hide: true } }
const DAY = { 'Cache-Control': 'public, max-age=86400', 'X-Content-Type-Options': 'nosniff' }

/** The API's description of itself, for programs and for people; open to everyone, as the API's shape is no secret. */
export function apiDocs(context: Pick<Context, 'config' | 'rootUrl'>, all: RouteSource) {
  let document: Promise<SwaggerSchema> | undefined
  let page: Promise<DocumentationPage> | undefined
  const describe = async () => describeApi(await all.routes(), new URL(context.rootUrl).pathname)
  return new Elysia({ name: 'api-docs' })
    .onBeforeHandle(() => {
      if (!context.config.api.ENABLE_SWAGGER) throw new NotFound('Not Found')
    })
    .get(
      '/swagger.v1.json',
      async ({ query }) => {
        document ??= describe()
        // The page tries requests with the first scheme, https; without any it takes the one it was loaded with.
        const shown = 'page' in query ? { ...(await document), schemes: undefined } : await document
        return new Response(JSON.stringify(shown), { headers: { 'Content-Type': JSON_TYPE } })
      },
      hidden,
    )
    .get(
      '/api/swagger',
      async () => {
        page ??= import('./page.ts').then(({ renderPage }) => renderPage())
        const { html, contentSecurityPolicy } = await page
        return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': contentSecurityPolicy } })
      },
      hidden,
    )
    .get('/assets/api-docs/swagger-ui-bundle.js', () => file(bundlePath, 'text/javascript; charset=utf-8'), hidden)
    .get('/assets/api-docs/swagger-ui.css', () => file(stylePath, 'text/css; charset=utf-8'), hidden)
}

function file(path: string, type: string): Response {
  return new Response(Bun.file(path), { headers: { 'Content-Type': type, ...DAY } })
}
