import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import { RefHooks } from '#repositories/refs/hooks.ts'
import tagProtection from './1_tag_protection.sql' with { type: 'text' }
import { findMatches } from './match-tags.ts'
import { tagGuard } from './protect-tags.ts'

export const slice: Slice<Context> = {
  name: 'tag-protection',
  migrations: [{ name: '1_tag_protection', sql: tagProtection }],
  attach: ({ services }) => services.get(RefHooks).add(tagGuard, findMatches),
  routes: async () => (await import('./routes.ts')).tagProtection,
  pages: async () => (await import('./pages.tsx')).tagProtectionPages,
}
