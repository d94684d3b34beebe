import { lockInstance, tryLockInstance } from '#kernel/instance-lock.ts'
import { type Diagnosis, examine, isWell, isWrong } from '#site/doctor/index.ts'
import type { Session } from './environment.ts'
import { configOf, type StoreOptions } from './load.ts'
import { openContextOf, requireStore } from './open-store.ts'
import { type Paint, painter, printable } from './terminal.ts'

export interface DoctorOptions extends StoreOptions {
  repair?: boolean
  json?: boolean
}

/**
 * Examines the store and tells what is wrong; the exit code is 1 when something is (still).
 * @throws Error when there is no store, and when it is to be repaired while a server uses it
 */
export async function runDoctor(options: DoctorOptions, session: Session): Promise<void> {
  const config = configOf(options, session.environment)
  requireStore(config, 'examine')
  using lock = options.repair ? lockInstance(config.dataPath) : tryLockInstance(config.dataPath)
  await using context = openContextOf(config, lock !== undefined)
  const paint = painter(session.out)
  const diagnoses = await examine({ ...context, isServed: lock === undefined }, options.repair === true, (diagnosis) => {
    if (!options.json) session.out.print(describe(diagnosis, paint))
  })
  const well = isWell(diagnoses)
  if (options.json) session.out.print(JSON.stringify({ ok: well, checks: diagnoses }, null, 2))
  else session.out.print(`\n${well ? paint('green', 'Everything holds together.') : paint('red', 'Something is wrong; see above.')}`)
  session.exitCode = well ? 0 : 1
}

const NAME_WIDTH = 26

function describe({ check, examined, problems }: Diagnosis, paint: Paint): string {
  const heading = `${check.padEnd(NAME_WIDTH)}${String(examined).padStart(6)}  ${verdictOn(problems, paint)}`
  return [
    heading,
    ...problems.map(({ subject, text, repaired }) => `    ${printable(subject)}: ${printable(text)}${repaired ? paint('yellow', ' (repaired)') : ''}`),
  ].join('\n')
}

function verdictOn(problems: Diagnosis['problems'], paint: Paint): string {
  const wrong = problems.filter(isWrong).length
  if (wrong > 0) return paint('red', `${wrong} wrong`)
  if (problems.some(({ repaired }) => !repaired)) return `${paint('green', 'ok')}, ${problems.length} for the next start`
  return problems.length === 0 ? paint('green', 'ok') : paint('yellow', 'repaired')
}
