import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { FileCost } from '../test/file-costs.ts'
import { makeScratch } from './scratch.ts'

/** What a step of the checks found. */
export interface StepResult {
  passed: number
  failed: number
  /** Names of the tests that did not run. */
  skipped: string[]
  /** Shown when something failed. */
  output: string
  /** The cost of each file of tests. */
  costs: FileCost[]
}

const root = join(import.meta.dir, '..')

/** Tests wait for the disk, for timers and for other programs: there is time for one file more than there are cores. */
export const FILES_AT_ONCE = availableParallelism() + 1

/** A heap that is collected beside the tests takes a core from them. An option of JavaScriptCore's. */
const TEST_ENVIRONMENT = { BUN_JSC_useConcurrentGC: '0' }

/** No step takes this long, on a slow machine neither; one that does is stuck in a loop that no test's own deadline can end. */
const deadlineMinutes = () => (process.env.SOAK === '1' ? 24 * 60 : 25)

/** A command that is right when it ends with 0. */
export async function runCommand(...command: string[]): Promise<StepResult> {
  const { exitCode, output } = await run(command)
  return exitCode === 0 ? passed() : failed(output)
}

export function passed(): StepResult {
  return { passed: 1, failed: 0, skipped: [], output: '', costs: [] }
}

export function failed(output: string): StepResult {
  return { passed: 0, failed: 1, skipped: [], output, costs: [] }
}

/** Runs tests by bun:test, file by file on all cores, and removes what they leave in their temporary directory. @param paths files and folders, below the root */
export async function runTests(paths: readonly string[], ...flags: string[]): Promise<StepResult> {
  const directory = makeScratch(FILES_AT_ONCE)
  const report = join(directory, 'junit.xml')
  const costs = join(directory, 'costs.jsonl')
  try {
    const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
    const command = [process.execPath, 'test', ...paths.map((path) => `./${path}`), '--pass-with-no-tests', ...reporter, ...flags]
    const { exitCode, output } = await run(command, { ...TEST_ENVIRONMENT, TMPDIR: directory, TEST_FILE_COSTS: costs })
    const counts = readReport(report)
    // A crash outside of any test fails the step without a failed test.
    return { ...counts, failed: exitCode === 0 ? 0 : Math.max(1, counts.failed), output, costs: readCosts(costs) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function run(command: string[], environment: Record<string, string> = {}): Promise<{ exitCode: number; output: string }> {
  const minutes = deadlineMinutes()
  const child = Bun.spawn(command, {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1', ...environment },
    timeout: minutes * 60_000,
    killSignal: 'SIGKILL',
  })
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const ended = child.signalCode === null ? '' : `\n${command.join(' ')} was stopped by ${child.signalCode} after ${minutes} minutes at most\n`
  return { exitCode, output: `${stdout}${stderr}${ended}` }
}

/** Counts from a report in JUnit's form. */
function readReport(file: string): Omit<StepResult, 'output' | 'costs'> {
  const counts = { passed: 0, failed: 0, skipped: [] as string[] }
  for (const [, attributes = '', content = ''] of readIfThere(file).matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const name = /\bname="([^"]*)"/.exec(attributes)?.[1] ?? 'a test'
    if (content.includes('<skipped')) counts.skipped.push(decodeEntities(name))
    else if (/<(failure|error)\b/.test(content)) counts.failed++
    else counts.passed++
  }
  return counts
}

function readCosts(file: string): FileCost[] {
  return readIfThere(file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FileCost)
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (entity, name: string) => entities[name] ?? entity)
}
