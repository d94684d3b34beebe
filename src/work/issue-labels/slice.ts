import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'issue-labels',
  routes: async () => (await import('./routes.ts')).issueLabels,
}
