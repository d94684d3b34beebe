import type { Config } from '#config.ts'
import { type DamagedDatabase, surveyDamaged } from '#kernel/database/damaged-database.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { messageOf } from '#kernel/errors.ts'
import { lockInstance, tryLockInstance } from '#kernel/instance-lock.ts'
import { type Diagnosis, examine, isWell, isWrong } from '#site/doctor/index.ts'
import type { Session } from './environment.ts'
import { configOf, type StoreOptions } from './load.ts'
import { databaseIn, openContextOf, requireStore } from './open-store.ts'
import { type Paint, painter, printable } from './terminal.ts'

export interface DoctorOptions extends StoreOptions {
  repair?: boolean
  json?: boolean
}

/**
 * Examines the store and tells what is wrong; the exit code is 1 when something is (still).
 * @throws Error when there is no store, when its database cannot be read, and when it is to be repaired while a server uses it
 */
export async function runDoctor(options: DoctorOptions, session: Session): Promise<void> {
  const config = configOf(options, session.environment)
  requireStore(config, 'check')
  using lock = options.repair ? lockInstance(config.dataPath) : tryLockInstance(config.dataPath)
  try {
    await examineStore(config, lock !== undefined, options, session)
  } catch (error) {
    throw diskTroubleOf(error) === 'damaged' ? unreadable(databaseIn(config.dataPath), error) : error
  }
}

/** @param isAlone whether no server works on the store meanwhile */
async function examineStore(config: Config, isAlone: boolean, options: DoctorOptions, session: Session): Promise<void> {
  await using context = openContextOf(config, isAlone)
  const paint = painter(session.out)
  const diagnoses = await examine({ ...context, isServed: !isAlone }, options.repair === true, (diagnosis) => {
    if (!options.json) session.out.print(describe(diagnosis, paint))
  })
  const well = isWell(diagnoses)
  if (options.json) session.out.print(JSON.stringify({ ok: well, checks: diagnoses }, null, 2))
  else session.out.print(`\n${well ? paint('green', 'No problems found.') : paint('red', 'Problems found, see above.')}`)
  session.exitCode = well ? 0 : 1
}

/** What is wrong with a database that SQLite refuses, and what can be done. */
function unreadable(path: string, cause: unknown): Error {
  const found = surveyDamaged(path)
  const rest = found.tables === 0 ? 'None of its tables can be read.' : `${found.readable} of its ${found.tables} tables can be read completely.`
  const advice = [
    'Keep a copy of the file, then restore the latest backup, including its -wal file if there is one. Changes since that backup are lost.',
    'Then run "pocketforge doctor" again.',
    'Without a backup, "sqlite3 pocketforge.db .recover" extracts the readable data.',
    'The git repositories are not affected: each is a bare repository under repositories/.',
  ].join(' ')
  return new Error(`Cannot read ${path}: ${messageOf(cause)}. ${describeSize(found)} ${rest} ${advice}`, { cause })
}

function describeSize({ bytes, expected }: DamagedDatabase): string {
  if (expected === undefined) return `The file (${bytes} bytes) is not an SQLite database.`
  return bytes < expected ? `The file is truncated: ${bytes} of ${expected} bytes.` : `The file has its full size (${bytes} bytes), but its content is corrupt.`
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
  if (wrong > 0) return paint('red', wrong === 1 ? '1 problem' : `${wrong} problems`)
  if (problems.some(({ repaired }) => !repaired)) return `${paint('green', 'ok')}, ${problems.length} fixed by the next start of the server`
  return problems.length === 0 ? paint('green', 'ok') : paint('yellow', 'repaired')
}
