// Compiles the server into one executable: bytecode, minified, with everything it serves inside.
//   npm run build                              build/out/pocketforge for this machine
//   npm run build -- --target darwin-arm64     build/out/pocketforge-darwin-arm64
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { BunPlugin } from 'bun'
import { build } from '#app.ts'
import { makeConfig } from '#config.ts'
import { openContext } from '#context.ts'
import { Database } from '#kernel/db.ts'
import { type RouteEntry, RouteTable } from '#kernel/route-table.ts'
import { slices } from '#slices.ts'
import { bundleScript } from '#web/script.ts'
import { executablePath, outDirectory, type Target, targets } from './executable-path.ts'

const root = join(import.meta.dir, '..')

/** Threads start from files of their own, so each is an entry point beside the program. */
const threads = [
  'src/kernel/database/checkpoint-worker.ts',
  'src/kernel/database/long-reads-worker.ts',
  'src/access/body-worker.ts',
  'src/web/text-worker.ts',
  'src/git/workers/worker.ts',
  'src/people/gpg/signature-worker.ts',
  'src/people/sources/pam-worker.ts',
  'src/markdown/render-worker.ts',
  'src/work/reviews/owners-worker.ts',
  'src/work/issue-templates/templates-worker.ts',
  'src/site/doctor/examine-worker.ts',
]
const program = ['src/main.ts', ...threads].map((file) => join(root, file))

/**
 * Compiles and returns the executable's path. It takes its place in one step: what runs, runs on, and a failure leaves the last one.
 * @throws AggregateError with what the bundler found
 */
export async function compile(target?: Target): Promise<string> {
  const path = executablePath(target)
  const aside = join(outDirectory, `tmp-${process.pid}`)
  mkdirSync(aside, { recursive: true })
  try {
    const outfile = join(aside, basename(path))
    await bundle({ outfile, target, routes: await describeRoutes() })
    renameSync(outfile, path)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return path
}

export interface BundleOptions {
  outfile: string
  target?: Target
  /** What `describeRoutes` tells. */
  routes?: string
  entrypoints?: readonly string[]
  plugins?: readonly BunPlugin[]
}

/** One executable, made from the sources as they are. @throws AggregateError */
export async function bundle({ outfile, target, routes, entrypoints = program, plugins = [] }: BundleOptions): Promise<void> {
  await Bun.build({
    entrypoints: [...entrypoints],
    // Beside each other inside, where the program looks for its threads.
    naming: { entry: '[name].[ext]' },
    compile: { outfile, ...(target === undefined ? {} : { target: `bun-${target}` }) },
    format: 'esm',
    bytecode: true,
    minify: true,
    // A start loads what it needs: rooms and libraries lie in pieces of their own.
    splitting: true,
    plugins: [...plugins],
    define: {
      'process.env.NODE_ENV': '"production"',
      COMPILED_SCRIPT: JSON.stringify(await bundleScript()),
      ...(routes === undefined ? {} : { COMPILED_ROUTES: JSON.stringify(routes) }),
    },
  })
}

/**
 * The table of all routes as JSON, so that the executable finds the room of a request without loading the others.
 * @param further routes of rooms that are not in the list, for measurements
 */
export async function describeRoutes(further: readonly RouteEntry[] = []): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pf-routes-'))
  try {
    await using context = openContext(makeConfig(directory), new Database(':memory:'), slices)
    return JSON.stringify(RouteTable.of([...(await build(context).routeEntries()), ...further]).root)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function parseTarget(name: string | undefined): Target | undefined {
  const found = targets.find((target) => target === name)
  if (name !== undefined && found === undefined) throw new Error(`Cannot compile for ${name}: it is none of ${targets.join(', ')}`)
  return found
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: 'string' } } })
  const began = performance.now()
  const path = await compile(parseTarget(values.target))
  const megabytes = Math.round(Bun.file(path).size / 1e6)
  console.log(`${relative(root, path)}: ${megabytes} MB in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof AggregateError ? error.errors.join('\n') : String(error))
    process.exitCode = 1
  })
}
