import { JobThread } from '#kernel/job-thread.ts'
import type { IssueConfig, IssueTemplate } from './schema.ts'

/** Templates by their paths and the milliseconds for reading all of them, or what stands in a config. */
export type TemplatesJob = { files: { path: string; text: string }[]; budget?: number } | { config: string }

/** What templates there are, and how many files there are none for something being wrong with them. */
export interface TemplatesRead {
  templates: IssueTemplate[]
  faults: number
}

/** What is wrong with a config, if anything is, and what holds then. */
export interface ConfigRead {
  config: IssueConfig
  fault: string
}

/** YAML of strangers: some of it takes seconds and much memory to read. */
export const templatesThread = new JobThread<TemplatesJob, TemplatesRead | ConfigRead>(
  'read the issue templates',
  () => new Worker(new URL('./templates-worker.ts', import.meta.url).href),
)

/** Far more than honest ones need; the thread itself leaves out what does not fit into half of it. */
export const MAX_MS = 2000
