import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import { renderForGit } from './render-for-git.ts'

export const slice: Slice<Context> = {
  name: 'git-http',
  pages: async () => (await import('./routes.ts')).gitHttp,
  renderProblem: renderForGit,
}
