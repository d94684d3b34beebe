import { swagger } from '@elysiajs/swagger'

/** The plugin's name for the version whose files it would load from a public server; ours come from the executable. */
const VERSION = 'embedded'

export interface DocumentationPage {
  html: string
  /** Lets the page run its own script and the embedded files, and nothing else. */
  contentSecurityPolicy: string
}

/** The page of @elysiajs/swagger, every address in it relative and ours: it works under any root URL and without a network. */
export async function renderPage(): Promise<DocumentationPage> {
  const plugin = swagger({
    provider: 'swagger-ui',
    path: '/page',
    version: VERSION,
    theme: '../assets/api-docs/swagger-ui.css',
    // The plugin drops the first slash.
    specPath: '/../swagger.v1.json?page',
    documentation: { info: { title: 'Pocketforge API', description: 'The API of this server', version: '1.1.1' } },
    swaggerOptions: { validatorUrl: 'none', docExpansion: 'none', deepLinking: true, persistAuthorization: true, tagsSorter: 'alpha' },
  })
  const page = await (await plugin.handle(new Request('http://localhost/page'))).text()
  const html = page.replaceAll(`https://unpkg.com/swagger-ui-dist@${VERSION}/`, '../assets/api-docs/')
  return { html, contentSecurityPolicy: policyFor(html) }
}

function policyFor(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
