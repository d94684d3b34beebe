import { Elysia, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { NotFound } from '#kernel/errors.ts'
import type { PeriodicTask } from '#kernel/tasks.ts'
import { CronList } from './schema.ts'

/** What repeats in the background: told, and started out of turn. */
export function cron(context: Context) {
  return new Elysia({ name: 'admin.cron' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/cron',
      ({ page, total }) => {
        const tasks = context.tasks.listTasks()
        total(tasks.length)
        return tasks.slice(page.offset, page.offset + page.limit).map(presentTask)
      },
      { siteAdmin: 'admin', list: true, query: PageQuery, response: { 200: CronList }, detail: operation('adminCronList', 'List cron tasks', 'admin') },
    )
    .post(
      '/admin/cron/:task',
      ({ params }) => {
        if (!context.tasks.runTask(params.task)) throw new NotFound()
      },
      {
        siteAdmin: 'admin',
        params: t.Object({ task: t.String({ description: 'task to run' }) }),
        response: noContent,
        detail: operation('adminCronRun', 'Run cron task', 'admin'),
      },
    )
}

function presentTask(task: PeriodicTask) {
  return { name: task.name, schedule: task.schedule, next: rfc3339(task.next), prev: rfc3339(task.prev), exec_times: task.runs }
}
