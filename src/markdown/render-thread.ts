import { JobThread } from '#kernel/job-thread.ts'
import type { CodeJob, Rendered, RenderJob } from './job.ts'

/** Renders texts one after the other, away from the main thread. */
export function openRenderThread(): JobThread<RenderJob | CodeJob, Rendered> {
  return new JobThread('render the text', () => new Worker(new URL('./render-worker.ts', import.meta.url).href))
}
