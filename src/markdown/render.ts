import { renderUnsafe } from './engine.ts'
import type { RenderJob } from './job.ts'
import { sanitise } from './sanitise.ts'

/** Markdown as HTML that is safe to show. Slow on hostile texts: only threads that can be ended call this. */
export function render(job: RenderJob): string {
  return sanitise(renderUnsafe(job), job.place)
}
