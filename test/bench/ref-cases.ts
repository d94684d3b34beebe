import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generateHistory } from '../generate-history.ts'
import { git } from '../git.ts'
import { startLoad } from './load.ts'
import { median, timed } from './measure.ts'
import { pushRefs, type RefCommand, ZERO } from './push-refs.ts'
import { seconds } from './report.ts'
import type { ServerFindings } from './server-cases.ts'
import { type OurSide, startOurs, untilQuiet } from './sides.ts'
import { atMost } from './verdicts.ts'

const few = 10
const many = 100_000
/** What one push creates, moves and deletes. */
const AT_ONCE = 99_000
const RUNS = 60
const MAX_FACTOR = 1.5
const MAX_STALL_SECONDS = 0.025
/** Between two questions of those who are kept waiting. */
const PAUSE_MS = 2
/** What follows a push is let end before the next is measured. */
const REST_MS = 4000

/** What refs cost where there are very many of them, and whom they keep waiting. */
export async function measureRefs(directory: string): Promise<ServerFindings> {
  const place = join(directory, 'refs')
  mkdirSync(place, { recursive: true })
  const side = await startOurs(place)
  try {
    return await measureOn(side, place)
  } finally {
    await side.running.stop()
    rmSync(place, { recursive: true, force: true })
  }
}

async function measureOn(side: OurSide, place: string): Promise<ServerFindings> {
  const source = join(place, 'source.git')
  await generateHistory(source, { commits: 50, files: 10, bigFileBytes: 0 })
  const [newest = '', older = ''] = (await git(['rev-list', '-2', 'main'], { cwd: source })).split('\n')
  for (const name of ['few', 'many']) await git([...side.clientOptions, 'push', '--quiet', side.url(name), 'main'], { cwd: source })
  await pushRefs(side.url('few'), side.authorization, refs(few, newest))
  const findings: ServerFindings = { verdicts: [], notes: [] }
  const idle = await longestWait(side, () => Bun.sleep(REST_MS))
  findings.notes.push(['refs: longest wait beside nothing', told(idle)])
  await pushRefs(side.url('many'), side.authorization, refs(many - AT_ONCE, newest, 'other'))
  const pushes: [what: string, commands: RefCommand[]][] = [
    ['creating', refs(AT_ONCE, older)],
    ['moving', refs(AT_ONCE, newest).map((ref) => ({ ...ref, old: older }))],
    ['deleting', refs(AT_ONCE, ZERO).map((ref) => ({ ...ref, old: newest }))],
    ['creating again', refs(AT_ONCE, older)],
  ]
  for (const [what, commands] of pushes) {
    let taken = 0
    const waited = await longestWait(side, async () => {
      taken = await timed(() => pushRefs(side.url('many'), side.authorization, commands))
      await Bun.sleep(REST_MS)
    })
    judgeWait(`a push ${what} ${AT_ONCE}`, waited, findings)
    const after = await untilQuiet(side)
    findings.notes.push([`refs: a push ${what} ${AT_ONCE}`, `${seconds(taken)}, ${seconds(after)} of a processor with what follows`])
  }
  await judgeOthers(side, place, findings)
  // What is done for the first time is compiled meanwhile: the second round of each counts.
  for (const name of ['many', 'few']) await costOfOne(side, name, newest, older)
  const [slow, quick] = [await costOfOne(side, 'many', newest, older), await costOfOne(side, 'few', newest, older)]
  for (const measure of ['wall', 'cpu'] as const) {
    const factor = slow[measure] / quick[measure]
    findings.verdicts.push(
      atMost(`refs: a push of one beside ${many} against beside ${few}, ${measure}`, factor, MAX_FACTOR, (value) => `${value.toFixed(1)} ×`),
    )
    findings.notes.push([`refs: a push of one, ${measure}`, `${seconds(slow[measure])} beside ${many}, ${seconds(quick[measure])} beside ${few}`])
  }
  return findings
}

type Waited = Awaited<ReturnType<typeof longestWait>>

function judgeWait(beside: string, waited: Waited, { verdicts, notes }: ServerFindings): void {
  verdicts.push(atMost(`refs: longest wait beside ${beside}`, waited.wait, MAX_STALL_SECONDS, seconds))
  notes.push([`refs: longest wait beside ${beside}`, told(waited)])
}

function told({ wait, served }: Waited): string {
  return `${seconds(wait)}, ${seconds(served)} of it with a processor`
}

function refs(count: number, oid: string, directory = 'many'): RefCommand[] {
  return Array.from({ length: count }, (_, i) => ({ name: `refs/heads/${directory}/${i}`, oid }))
}

/** How long another one waited at most who asked over and over while `work` was done, in seconds; `served` without what it took to get a processor. */
async function longestWait(side: OurSide, work: () => Promise<unknown>): Promise<{ wait: number; served: number }> {
  const url = `${side.running.origin}/api/v1/users/bench`
  const load = startLoad({ url, authorization: side.authorization, connections: 1, seconds: 3600, pauseMs: PAUSE_MS, pid: side.running.pid })
  await work().finally(() => load.stop())
  const { max, maxServed } = await load.result
  return { wait: max / 1000, served: maxServed / 1000 }
}

/** What else is done with very many refs, and how long others wait beside it. */
async function judgeOthers(side: OurSide, place: string, findings: ServerFindings): Promise<void> {
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { ...side.headers, 'Content-Type': 'application/json' }
    const answer = await fetch(`${side.running.origin}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) })
    if (!answer.ok) throw new Error(`Cannot measure ${method} ${path}: ${answer.status} ${await answer.text()}`)
    await answer.bytes()
  }
  const mirror = (version: number) =>
    git([...side.clientOptions, '-c', `protocol.version=${version}`, 'clone', '--quiet', '--mirror', side.url('many'), join(place, `mirror-${version}`)])
  const deeds: [what: string, deed: () => Promise<unknown>][] = [
    ['a mirror by protocol version 0', () => mirror(0)],
    ['a mirror by protocol version 2', () => mirror(2)],
    ['a list of all refs', () => ask('GET', '/repos/bench/many/git/refs')],
    ['a fork', () => ask('POST', '/repos/bench/many/forks', { name: 'fork', organization: 'forks' })],
    ['the deletion of the fork', () => ask('DELETE', '/repos/forks/fork')],
  ]
  await ask('POST', '/orgs', { username: 'forks' })
  for (const [what, deed] of deeds) {
    const waited = await longestWait(side, async () => {
      await deed()
      await Bun.sleep(REST_MS)
    })
    judgeWait(`${what}, of ${many}`, waited, findings)
    await untilQuiet(side)
  }
}

/** Of moving one ref to and fro, what follows included. */
async function costOfOne(side: OurSide, repository: string, newest: string, older: string): Promise<{ wall: number; cpu: number }> {
  const name = `refs/heads/one/${crypto.randomUUID()}`
  const move = (oid: string, old?: string) => pushRefs(side.url(repository), side.authorization, [{ name, old, oid }])
  await move(older)
  await untilQuiet(side)
  const walls: number[] = []
  for (let run = 0; run < RUNS; run++) walls.push(await timed(() => (run % 2 === 0 ? move(newest, older) : move(older, newest))))
  await Bun.sleep(REST_MS)
  return { wall: median(walls), cpu: (await side.takeUsage()).cpu / RUNS }
}
