import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'guide',
  pages: async () => (await import('./pages.tsx')).guidePages,
}
