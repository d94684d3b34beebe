import { Elysia, t } from 'elysia'
import { gate, type Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { PeriodicTask } from '#kernel/tasks.ts'
import { ActionButton, answerDone, answerPage, KeyName, Scrolled, SiteFrame, Time, Visit } from '#web/index.ts'
import { scheduleWords, taskWords } from './task-words.ts'

const TaskForm = t.Object({ task: t.String({ maxLength: 255 }) })

interface Asked {
  viewer: Member
  request: Request
}

/** What repeats in the background: told, and started out of turn. */
export function cronPages(context: Context) {
  return new Elysia({ name: 'admin.cron-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/monitor/cron', (asked) => show(context, asked), { siteAdmin: 'admin', detail: { hide: true } })
    .post(
      '/-/admin/monitor/cron',
      ({ viewer, request, body }) => {
        if (!context.tasks.runTask(body.task)) throw new NotFound()
        return answerDone(
          new Visit(context, viewer, request),
          (visit) => visit.to`/-/admin/monitor/cron`,
          `Task “${taskWords.get(body.task) ?? body.task}” started`,
        )
      },
      { siteAdmin: 'admin', body: TaskForm, detail: { hide: true } },
    )
}

function show(context: Context, { viewer, request }: Asked): Response {
  const visit = new Visit(context, viewer, request)
  const now = context.clock.seconds()
  return answerPage(
    <SiteFrame visit={visit} subject="cron" title="Scheduled tasks">
      <Scrolled label="Scheduled tasks">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Schedule</th>
              <th scope="col">Last run</th>
              <th scope="col">Next run</th>
              <th scope="col" class="number">
                Runs
              </th>
              <th scope="col">
                <span class="unseen">Run now</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {context.tasks.listTasks().map((task) => (
              <Task address={visit.to`/-/admin/monitor/cron`} task={task} now={now} />
            ))}
          </tbody>
        </table>
      </Scrolled>
      <p class="faint">Runs are counted since the server started.</p>
    </SiteFrame>,
  )
}

function Task({ address, task, now }: { address: string; task: PeriodicTask; now: number }) {
  const words = taskWords.get(task.name)
  return (
    <tr>
      <th scope="row" title={task.name}>
        {words ?? <KeyName name={task.name} />}
      </th>
      <td>{scheduleWords(task.schedule)}</td>
      <td>{task.prev === null ? 'never' : <Time at={task.prev} now={now} />}</td>
      <td>{task.next === null ? '' : task.next <= now + 59 ? 'within a minute' : <Time at={task.next} now={now} />}</td>
      <td class="number">{task.runs}</td>
      <td>
        <ActionButton action={address} to={words ?? task.name} name="task" value={task.name}>
          Run
        </ActionButton>
      </td>
    </tr>
  )
}
