import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { WorkerPool } from './pool.ts'
import { encodeAll } from './ref-list.ts'

/** More repositories are asked for than a thread keeps open. */

const root = temporaryDirectory()
const origin = join(root.path, 'origin.git')
const pool = new WorkerPool(1)
const BYTES = 3 * 1024 * 1024
let tip: Oid

beforeAll(() => {
  initBare(origin)
  const blob = written(['hash-object', '-w', '--stdin'], randomBytes(BYTES))
  const tree = written(['mktree'], `100644 blob ${blob}\tbytes\n`)
  tip = written(['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', 'commit-tree', tree, '-m', 'bytes']) as Oid
  git(['update-ref', 'refs/heads/main', tip], { cwd: origin })
  git(['repack', '-adq'], { cwd: origin })
})
afterAll(async () => {
  await pool.close()
  root[Symbol.dispose]()
})

const written = (args: string[], stdin?: string | Uint8Array) => git(args, { cwd: origin, stdin }).toString().trim()

test('a clone under way gets all of its pack, though that has been joined with others since', async () => {
  const refs = encodeAll([{ name: 'refs/heads/main', oid: tip }])
  const input = { version: 2 as const, chunks: refs, head: 'refs/heads/main', exact: true, agent: 'test' }
  const call = pool.stream('upload', { path: origin, limits: defaultLimits }, input)
  await call.write(Buffer.from(`0011command=fetch00010032want ${tip}\n0009done\n0000`))
  call.end()
  const pieces = call.outgoing[Symbol.asyncIterator]()
  let bytes = (await pieces.next()).value?.length as number
  for (let i = 0; i < 100; i++) await pool.run('objectTypes', { path: join(root.path, `${i}.git`), limits: defaultLimits }, { oids: [] })
  written(['hash-object', '-w', '--stdin'], 'more')
  git(['repack', '-adkq'], { cwd: origin })
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) bytes += piece.value.length
  await call.result
  expect(bytes).toBeGreaterThan(BYTES)
})
