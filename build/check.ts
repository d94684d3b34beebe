// Everything that CI runs, in one command; quiet unless something fails.
//   npm test                               all of it
//   npm run check                          what takes seconds
//   npm test -- --only lint,unit           some of it
//   npm test -- --changed                  the tests that uncommitted changes can affect
//   npm test -- --changed --since main~3   the same for all changes since a commit
//   npm run soak                           the tests that have a full size, at that size; can take hours
//   npm test -- --seed 7                   tests in the order of that seed, which each run prints
//   npm run fix                            formats
import { parseArgs } from 'node:util'
import { table } from '#cli/terminal.ts'
import { affectedTests, changedFiles } from './affected-tests.ts'
import { compile } from './compile.ts'
import { FILES_AT_ONCE, failed, passed, runCommand, runTests, type StepResult } from './steps.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    changed: { type: 'boolean' },
    since: { type: 'string', default: 'HEAD' },
    seed: { type: 'string', default: String(crypto.getRandomValues(new Uint32Array(1))[0]) },
    soak: { type: 'boolean', default: false },
    fix: { type: 'boolean' },
  },
})
const { seed, soak: isSoak } = values
// Tests ask for it in test/soak.ts.
if (isSoak) process.env.SOAK = '1'

const BIOME = 'node_modules/.bin/biome'
/** Stories start servers and move repositories, the matrix asks every route, workers compare thousands of files; a machine under load takes its time. */
const STORY_FLAGS = [`--timeout=${isSoak ? 7_200_000 : 120_000}`]
const SIDE_BY_SIDE = `--parallel=${FILES_AT_ONCE}`
/** One set of modules for each of those rather than for each of hundreds of files, which costs half as much as the tests themselves. */
const SHARED_MODULES = '--no-isolate'

/** Tests run in random order: one that needs what another leaves behind fails sooner or later, and by its seed again. */
const inRandomOrder = () => ['--randomize', `--seed=${seed}`]

/** Runs the tests in a folder; with `--changed` only those that the change can affect. */
async function runFolder(folder: string, ...flags: string[]): Promise<StepResult> {
  const paths = affected?.filter((path) => path.startsWith(`${folder}/`)) ?? [folder]
  return paths.length === 0 ? { ...passed(), passed: 0 } : runTests(paths, ...inRandomOrder(), ...flags)
}

/** Tests that start the executable need not look for newer sources any more. */
function noteBuilt(): StepResult {
  process.env.EXECUTABLE_IS_BUILT = '1'
  return passed()
}

const steps: Record<string, () => Promise<StepResult>> = {
  types: () => runCommand('node_modules/.bin/tsc', '-p', '.'),
  // What runs in browsers knows their types, and not those of Bun.
  'script-types': () => runCommand('node_modules/.bin/tsc', '-p', 'src/web/script'),
  lint: () => runCommand(BIOME, 'check', '--error-on-warnings', '--max-diagnostics=50'),
  // These read every file or the whole schema: every change can affect them.
  architecture: () => runTests(['test/architecture.test.ts', 'test/references.test.ts', 'test/wording.test.ts']),
  unit: () => runFolder('src', SIDE_BY_SIDE, SHARED_MODULES, ...STORY_FLAGS),
  tools: () => runFolder('build'),
  upgrade: () => runFolder('test/upgrade'),
  matrix: () => runFolder('test/matrix', SIDE_BY_SIDE, SHARED_MODULES, ...STORY_FLAGS),
  fuzz: () => runFolder('test/fuzz', SIDE_BY_SIDE, SHARED_MODULES),
  build: () => compile().then(noteBuilt, (error) => failed(describe(error))),
  contract: () => runFolder('test/contract', SIDE_BY_SIDE, SHARED_MODULES, ...STORY_FLAGS),
  stories: () => runFolder('test/e2e', SIDE_BY_SIDE, ...STORY_FLAGS),
}

const soaked = ['unit', 'matrix', 'fuzz', 'build', 'contract', 'stories']
const quick = ['types', 'script-types', 'lint', 'architecture', 'tools', 'unit', 'upgrade']

interface Finished extends StepResult {
  name: string
  seconds: number
}

async function check(names: readonly string[]): Promise<number> {
  process.stderr.write(`tests run in the order of seed ${seed}; npm test -- --seed ${seed} repeats it\n`)
  const results: Finished[] = []
  for (const name of names) {
    process.stderr.write(`${name} … `)
    const began = performance.now()
    const result = await (steps[name] as () => Promise<StepResult>)()
    const seconds = (performance.now() - began) / 1000
    results.push({ ...result, name, seconds })
    process.stderr.write(`${result.failed === 0 ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)\n`)
    if (result.failed > 0) console.log(result.output)
  }
  return report(results)
}

/** Prints the summary, the line of totals last; returns the exit code. */
function report(results: readonly Finished[]): number {
  const rows = results.map(({ name, seconds, passed, failed, skipped }) => [
    name,
    `${seconds.toFixed(1)} s`,
    String(passed),
    String(failed),
    String(skipped.length),
  ])
  console.log(`\n${table([['STEP', 'TIME', 'PASSED', 'FAILED', 'SKIPPED'], ...rows])}\n`)
  const costliest = results
    .flatMap(({ costs }) => costs)
    .sort((a, b) => b.cpu - a.cpu)
    .slice(0, 20)
    .map(({ file, cpu, wall }) => [file, `${cpu.toFixed(1)} s`, `${wall.toFixed(1)} s`])
  if (costliest.length > 0) console.log(`${table([['COSTLIEST FILES', 'CPU', 'WALL'], ...costliest])}\n`)
  const skipped = results.flatMap((result) => result.skipped)
  for (const name of skipped) console.log(`skipped: ${name}`)
  const sum = (of: (result: Finished) => number) => results.reduce((total, result) => total + of(result), 0)
  const failures = sum((result) => result.failed)
  console.log(`${sum((result) => result.passed)} passed, ${failures} failed, ${skipped.length} skipped`)
  return failures === 0 ? 0 : 1
}

async function fix(): Promise<number> {
  const { failed, output } = await runCommand(BIOME, 'check', '--write', '--max-diagnostics=50')
  if (failed > 0) console.log(output)
  return failed
}

function describe(error: unknown): string {
  return error instanceof AggregateError ? error.errors.join('\n') : String(error)
}

function parseSteps(only: string): string[] {
  const names = only.split(',')
  for (const name of names) if (!(name in steps)) throw new Error(`Cannot run step ${name}: it is none of ${Object.keys(steps).join(', ')}`)
  return names
}

const affected = isSoak ? affectedTests(['test/soak.ts']) : values.changed ? affectedTests(changedFiles(values.since)) : undefined
const usual = isSoak ? soaked : values.quick ? quick : Object.keys(steps)
const chosen = values.only === undefined ? usual : parseSteps(values.only)
process.exitCode = values.fix ? await fix() : await check(chosen)
