import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, lineOf, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import type { JobSummary } from '#kernel/jobs/jobs.ts'
import { Int, Time } from '#kernel/schema.ts'

const BackgroundJob = t.Object(
  {
    id: Int(),
    kind: t.String({ description: 'type of the job, as an identifier' }),
    title: t.String({ description: 'type of the job, as a description' }),
    key: t.Nullable(t.String({ description: 'a new job replaces the one with the same kind and key' })),
    created_at: Time,
    run_at: t.Nullable(Time, { description: 'when the job is retried or due; null: now' }),
    attempts: Int({ description: 'failures since the job last made progress' }),
    last_error: t.String({ description: 'empty if the job has not failed' }),
  },
  { $id: 'BackgroundJob' },
)
const BackgroundJobList = t.Array(BackgroundJob, { $id: 'BackgroundJobList' })

/** Background jobs that are waiting, running or failing. */
export function jobRoutes(context: Context) {
  return new Elysia({ name: 'admin.jobs' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/jobs',
      async ({ viewer, page, total }) => {
        const found = await context.jobs.list(context.db, lineOf(viewer), page)
        total(found.total)
        return found.jobs.map(presentJob)
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: PageQuery,
        response: { 200: BackgroundJobList },
        detail: operation('adminListJobs', 'List background jobs, failing jobs first', 'admin'),
      },
    )
    .post(
      '/admin/jobs/:id/retry',
      async ({ params }) => {
        if (!(await context.jobs.retry(rowIdIn(params.id)))) throw new NotFound()
      },
      {
        siteAdmin: 'admin',
        params: t.Object({ id: IdText('ID of the job') }),
        response: noContent,
        detail: operation('adminRetryJob', 'Run a background job now', 'admin'),
      },
    )
}

function presentJob({ id, kind, title, key, createdAt, runAt, attempts, lastError }: JobSummary): Static<typeof BackgroundJob> {
  return { id, kind, title, key, created_at: rfc3339(createdAt), run_at: runAt === 0 ? null : rfc3339(runAt), attempts, last_error: lastError }
}
