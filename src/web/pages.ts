import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { favicon, icons, stylesheet, type WebAsset } from './assets.ts'
import { readScript, scriptName } from './script.ts'

const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
}
const hidden = { detail: { hide: true } } as const
const assets = new Map([stylesheet, icons, favicon].map((asset) => [asset.name, asset]))

/** What all pages load beside themselves, and the icon that browsers show beside answers that are no pages; the same for everybody. */
export function webAssets(_: Context) {
  return new Elysia({ name: 'web.assets' })
    .get(
      '/favicon.ico',
      () => new Response(favicon.text, { headers: { ...headers, 'Cache-Control': 'public, max-age=86400', 'Content-Type': favicon.type } }),
      hidden,
    )
    .get(
      '/assets/web/:name',
      async ({ params, request }) => {
        const asset = params.name === scriptName ? await readScript() : assets.get(params.name)
        if (asset === undefined) throw new NotFound()
        return answerAsset(asset, /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(request.headers.get('accept-encoding') ?? ''))
      },
      hidden,
    )
}

function answerAsset(asset: WebAsset, takesGzip: boolean): Response {
  if (!takesGzip) return new Response(asset.text, { headers: { ...headers, 'Content-Type': asset.type } })
  return new Response(asset.compressed, { headers: { ...headers, 'Content-Type': asset.type, 'Content-Encoding': 'gzip' } })
}
