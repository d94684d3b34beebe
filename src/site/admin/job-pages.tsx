import { Elysia, t } from 'elysia'
import { gate, lineOf, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import type { JobSummary } from '#kernel/jobs/jobs.ts'
import { parsePage } from '#kernel/page.ts'
import { ActionButton, answerDone, answerPage, Empty, Pager, Scrolled, SiteFrame, Time, Visit } from '#web/index.ts'

const PAGE_SIZE = 50
const JobForm = t.Object({ id: t.String({ maxLength: 20 }) })

interface Asked {
  viewer: Member
  request: Request
}

/** Background jobs, for site administrators. */
export function jobPages(context: Context) {
  return new Elysia({ name: 'admin.job-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/monitor/jobs', (asked) => show(context, asked, asked.query), { siteAdmin: 'admin', query: PageQuery, detail: { hide: true } })
    .post(
      '/-/admin/monitor/jobs',
      async ({ viewer, request, body }) => {
        if (!(await context.jobs.retry(rowIdIn(body.id)))) throw new NotFound()
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/-/admin/monitor/jobs`, 'Job started')
      },
      { siteAdmin: 'admin', body: JobForm, detail: { hide: true } },
    )
}

async function show(context: Context, { viewer, request }: Asked, query: { page?: string; limit?: string }): Promise<Response> {
  const visit = new Visit(context, viewer, request)
  const page = parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { jobs, total } = await context.jobs.list(context.db, lineOf(viewer), page)
  const now = context.clock.seconds()
  return answerPage(
    <SiteFrame visit={visit} subject="jobs" title="Background jobs">
      <p>A background job continues after a restart. If a job fails, the server retries it.</p>
      {total === 0 && <Empty visit={visit} icon="check" title="No background jobs" />}
      {total > 0 && (
        <Scrolled label="Background jobs">
          <table class="facts">
            <thead>
              <tr>
                <th scope="col">Job</th>
                <th scope="col">Created</th>
                <th scope="col">Next run</th>
                <th scope="col" class="number">
                  Failed attempts
                </th>
                <th scope="col">Last error</th>
                <th scope="col">
                  <span class="unseen">Retry</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {jobs.map((job) => (
                <JobRow address={visit.to`/-/admin/monitor/jobs`} job={job} now={now} />
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      <Pager visit={visit} page={page} total={total} />
    </SiteFrame>,
  )
}

function JobRow({ address, job, now }: { address: string; job: JobSummary; now: number }) {
  return (
    <tr>
      <th scope="row">
        {job.title} <span class="faint">{`${job.id}${job.key === null ? '' : ` (${job.key})`}`}</span>
      </th>
      <td>
        <Time at={job.createdAt} now={now} />
      </td>
      <td>{job.runAt <= now ? 'now' : <Time at={job.runAt} now={now} />}</td>
      <td class="number">{job.attempts}</td>
      <td>{job.lastError}</td>
      <td>
        <ActionButton action={address} to={`${job.title} ${job.id}`} name="id" value={String(job.id)}>
          Retry now
        </ActionButton>
      </td>
    </tr>
  )
}
