import { Elysia } from 'elysia'
import { gate, type Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { ActionButton, answerDone, answerPage, countText, Progress, SiteFrame, Time, Visit } from '#web/index.ts'
import { checks } from './checks.ts'
import { type Examination, Examinations } from './examinations.ts'

interface Asked {
  viewer: Member
  request: Request
}

/** Whether everything that is stored holds together, as the command line's doctor finds it. */
export function doctorPages(context: Context) {
  return new Elysia({ name: 'doctor.pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/doctor', (asked) => show(context, asked), { siteAdmin: 'admin', detail: { hide: true } })
    .post(
      '/-/admin/doctor',
      ({ viewer, request }) => {
        context.services.get(Examinations).start()
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/-/admin/doctor`, 'Check started')
      },
      { siteAdmin: 'admin', detail: { hide: true } },
    )
}

/** Seconds after which a browser looks again at one that is under way. */
const LOOK_AGAIN = '2'

function show(context: Context, { viewer, request }: Asked): Response {
  const last = context.services.get(Examinations).last
  const isUnderWay = last !== undefined && last.ended === undefined
  const visit = new Visit(context, viewer, request)
  return answerPage(<DoctorPage visit={visit} last={last} now={context.clock.seconds()} />, 200, isUnderWay ? { Refresh: LOOK_AGAIN } : {})
}

function DoctorPage({ visit, last, now }: { visit: Visit; last: Examination | undefined; now: number }) {
  const isUnderWay = last !== undefined && last.ended === undefined
  return (
    <SiteFrame visit={visit} subject="doctor" title="Doctor">
      <p>
        The doctor checks the database, all packs, all refs and the objects they reach, and all derived data. The server keeps running, and nothing is changed.
        To repair problems, stop the server and run <code>pocketforge doctor --repair</code>.
      </p>
      {isUnderWay ? (
        <p role="status">
          <Progress done={last.diagnoses.length} all={checks.length} label="Finished checks" />
          {`${last.diagnoses.length} of ${checks.length} checks`}
        </p>
      ) : (
        <ActionButton action={visit.to`/-/admin/doctor`}>Run check</ActionButton>
      )}
      {last && <Report examination={last} now={now} />}
    </SiteFrame>
  )
}

function Report({ examination: { began, ended, diagnoses, failure }, now }: { examination: Examination; now: number }) {
  const isWell = diagnoses.every(({ problems }) => problems.length === 0)
  return (
    <>
      <h2>{ended === undefined ? 'Check in progress' : failure === undefined ? (isWell ? 'No problems found' : 'Problems found') : 'Check failed'}</h2>
      {failure !== undefined && <p class="error">{failure}</p>}
      <p class="faint">
        Started <Time at={began} now={now} />
        {ended !== undefined && `, took ${countText(ended - began, 'second')}`}
      </p>
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Checked</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {diagnoses.map(({ check, examined, problems, more }) => (
            <tr>
              <th scope="row">{check}</th>
              <td class="number">{examined}</td>
              <td>
                {problems.length === 0 && 'OK'}
                {problems.length > 0 && (
                  <ul>
                    {problems.map(({ subject, text }) => (
                      <li>{`${subject}: ${text}`}</li>
                    ))}
                    {more > 0 && <li>{`and ${more} more`}</li>}
                  </ul>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
