import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import { TemplateParts } from '#repositories/templates/hooks.ts'
import webhooks from './1_webhooks.sql' with { type: 'text' }
import { copyHooks } from './copy-store.ts'

export const slice: Slice<Context> = {
  name: 'webhooks',
  migrations: [{ name: '1_webhooks', sql: webhooks, formerly: ['0012_webhooks', '0025_webhook_makers'] }],
  attach: ({ services }) => services.get(TemplateParts).add('webhooks', copyHooks),
  start: async (context) => (await import('./secrets.ts')).protectSecrets(context),
  routes: async () => (await import('./routes.ts')).webhooks,
  pages: async () => (await import('./pages.ts')).webhookPages,
}
