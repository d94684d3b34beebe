import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { bundle, compile, describeRoutes } from '../../build/compile.ts'
import { executablePath } from '../../build/executable-path.ts'
import { startBinary } from '../binary.ts'
import { compileBare, originOf } from './bare-side.ts'
import { median, type Verdict } from './measure.ts'
import { cpuSecondsOf, residentBytesOf } from './process-usage.ts'
import { bytes, ratio, seconds } from './report.ts'
import type { ServerFindings } from './server-cases.ts'
import { atMost } from './verdicts.ts'

const RUNS = 15
const IDLE_MS = 3000
const MAX_IDLE_BYTES = 90 * 2 ** 20
/** How many times the start of a bare server ours may take. */
const MOST = 3
const ROOMS = 100
const ROUTES_PER_ROOM = 10

interface Start {
  wall: number
  cpu: number
}

/**
 * From starting the executable on an existing store to its first answer, beside an executable with one route and nothing else, and
 * once more with a thousand further routes: a start must not grow with the house.
 */
export async function measureStart(data: string, directory: string): Promise<ServerFindings> {
  await compile()
  const bare = await compileBare(directory)
  const larger = await compileLarger(directory)
  const commands = [[bare, join(directory, 'bare.db')], ...[executablePath(), larger].map((path) => [path, 'serve', '--data', data, '--port', '0'])]
  const starts: Start[][] = commands.map(() => [])
  for (let run = 0; run < RUNS; run++) for (const [at, command] of commands.entries()) starts[at]?.push(await startOnce(command))
  const [theirs, ours, ourLarger] = starts.map(middle) as [Start, Start, Start]
  return {
    verdicts: [
      judge('start to first answer', ours, theirs),
      judge(`the same with ${ROOMS * ROUTES_PER_ROOM} further routes`, ourLarger, theirs),
      atMost('idle memory', await idleBytes(data), MAX_IDLE_BYTES, bytes),
    ],
    notes: [
      ['start of a bare server', describe(theirs)],
      ['start', describe(ours)],
      [`start with ${ROOMS * ROUTES_PER_ROOM} further routes`, describe(ourLarger)],
    ],
  }
}

function judge(what: string, ours: Start, theirs: Start): Verdict {
  const reached = ours.wall / theirs.wall
  return { what, target: `<= ${MOST} times a bare one`, reached: ratio(ours.wall, theirs.wall), isMet: reached <= MOST }
}

const describe = ({ wall, cpu }: Start) => `${seconds(wall)}, ${seconds(cpu)} of CPU`

function middle(starts: readonly Start[]): Start {
  return { wall: median(starts.map(({ wall }) => wall)), cpu: median(starts.map(({ cpu }) => cpu)) }
}

async function startOnce(command: readonly string[]): Promise<Start> {
  const began = performance.now()
  const child = Bun.spawn([...command], { env: { PATH: '' }, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  try {
    const response = await fetch(`${await originOf(child.stdout)}/api/v1/version`)
    if (!response.ok) throw new Error(`Cannot measure the start of ${command[0]}: the first answer was ${response.status}`)
    return { wall: (performance.now() - began) / 1000, cpu: cpuSecondsOf(child.pid) }
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
}

async function idleBytes(data: string): Promise<number> {
  await using server = await startBinary({ data })
  await fetch(`${server.origin}/api/v1/version`)
  await Bun.sleep(IDLE_MS)
  return residentBytesOf(server.pid)
}

/** Ours with synthetic rooms in the list. */
async function compileLarger(directory: string): Promise<string> {
  const outfile = join(directory, 'pocketforge-larger')
  mkdirSync(directory, { recursive: true })
  const further = Array.from({ length: ROOMS }, (_, room) => pathsOf(room).map((path) => [`synthetic-${room}`, 'GET', `/api/v1${path}`] as const)).flat()
  await bundle({ outfile, routes: await describeRoutes(further), plugins: [syntheticRooms] })
  return outfile
}

const pathsOf = (room: number) => Array.from({ length: ROUTES_PER_ROOM }, (_, route) => `/repos/:owner/:repo/synthetic-${room}/${route}/:id`)

/** The list of slices with further ones behind it; each has its routes in a module of its own. */
const syntheticRooms: BunPlugin = {
  name: 'synthetic rooms',
  setup(build) {
    build.onLoad({ filter: /src[/\\]slices\.ts$/ }, async ({ path }) => {
      const list = await Bun.file(path).text()
      const further = Array.from(
        { length: ROOMS },
        (_, room) => `{ name: 'synthetic-${room}', routes: async () => (await import('synthetic:${room}')).routes },`,
      )
      return { loader: 'ts', contents: list.replace(/\n\]\s*$/, `\n${further.join('\n')}\n]\n`) }
    })
    build.onResolve({ filter: /^synthetic:/ }, ({ path }) => ({ path: path.slice('synthetic:'.length), namespace: 'synthetic' }))
    build.onLoad({ filter: /.*/, namespace: 'synthetic' }, ({ path }) => ({ loader: 'ts', contents: roomSource(Number(path)) }))
  },
}

function roomSource(room: number): string {
  const routes = pathsOf(room).map(
    (path, at) => `.get('${path}', ({ repo }) => repo.row, {
      repo: 'read', params: t.Object({ ...RepoParams.properties, id: t.String() }), response: { 200: t.Object({ id: t.Number() }) },
      detail: { operationId: 'synthetic${room}x${at}', summary: 'Nothing', tags: ['synthetic'] } })`,
  )
  return `import { Elysia, t } from 'elysia'
    import { gate, RepoParams } from '#access/index.ts'
    export const routes = (context) => new Elysia({ name: 'synthetic-${room}' }).use(gate(context))${routes.join('')}`
}
