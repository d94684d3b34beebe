import { Elysia } from 'elysia'
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import type { Context } from '../context.ts'
import { JSON_TYPE } from '../kernel/http.ts'
import { describeApi } from './document.ts'
import type { DocumentedRoute } from './operations.ts'
import type { DocumentationPage } from './page.ts'
import type { SwaggerSchema } from './schemas.ts'

const hidden = { detail: { hide: true } }
const DAY = { 'Cache-Control': 'public, max-age=86400', 'X-Content-Type-Options': 'nosniff' }

/** The API's description of itself, for programs and for people; open to everyone, as the API's shape is no secret. */
export function apiDocs(context: Context, routes: () => readonly DocumentedRoute[]) {
  const plugin = new Elysia({ name: 'api-docs' })
  if (!context.config.api.ENABLE_SWAGGER) return plugin
  let document: SwaggerSchema | undefined
  let page: Promise<DocumentationPage> | undefined
  return plugin
    .get(
      '/swagger.v1.json',
      ({ query }) => {
        document ??= describeApi(routes(), new URL(context.rootUrl).pathname)
        // The page tries requests with the first scheme, https; without any it takes the one it was loaded with.
        const shown = 'page' in query ? { ...document, schemes: undefined } : document
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
