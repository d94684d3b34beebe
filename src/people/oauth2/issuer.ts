import type { Context } from '#context.ts'

/** How this server calls itself in what it signs. */
export function issuerOf({ config, rootUrl }: Pick<Context, 'config' | 'rootUrl'>): string {
  return config.oauth2.JWT_CLAIM_ISSUER || rootUrl.replace(/\/+$/, '')
}
