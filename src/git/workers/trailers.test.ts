import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { git, makeHistory, temporaryDirectory } from '../../../test/git-fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import type { WholeTrailer } from '../packs/write/write-pack.ts'
import { WorkerPool } from './pool.ts'
import { encodeAll } from './ref-list.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

test('what two packs end with as one is found once, and known to a thread that comes later', async () => {
  const path = join(root.path, 'two-packs.git')
  makeHistory(path, { commits: 20, files: 5 })
  git(['repack', '-adq'], { cwd: path })
  const oid = git(['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit-tree', '-p', 'main', '-m', 'more', 'main^{tree}'], { cwd: path }).toString().trim()
  git(['update-ref', 'refs/heads/main', oid], { cwd: path })
  git(['repack', '-dq'], { cwd: path })
  const refs = git(['for-each-ref', '--format=%(refname) %(objectname) %(*objectname)'], { cwd: path }).toString().trim().split('\n')
  const chunks = encodeAll(
    refs.map((line) => {
      const [name = '', tip, peeled] = line.split(' ')
      return { name, oid: tip as Oid, ...(peeled ? { peeled: peeled as Oid } : {}) }
    }),
  )
  const wants = [...new Set(refs.map((line) => line.split(' ')[1]))].map((tip) => `0032want ${tip}\n`).join('')

  async function clone(trailer?: WholeTrailer) {
    const pool = new WorkerPool(1)
    const input = { version: 2 as const, chunks, head: 'refs/heads/main', exact: true, trailer, agent: 'test' }
    const call = pool.stream('upload', { path, limits: defaultLimits }, input)
    await call.write(Buffer.from(`0011command=fetch0001${wants}0009done\n0000`))
    call.end()
    const pack = packIn(Buffer.concat(await Array.fromAsync(call.outgoing)))
    const made = await call.result
    await pool.close()
    return { pack, made }
  }

  const first = await clone()
  expect(first.made?.files.length).toBe(2)
  const second = await clone(first.made)
  expect([second.made, second.pack.equals(first.pack)]).toEqual([undefined, true])
  // That of other files is of no use.
  const other = await clone({ files: ['pack-1.pack 1:2:3', 'pack-2.pack 1:2:3'], bytes: new Uint8Array(20) })
  expect([other.made, other.pack.equals(first.pack)]).toEqual([first.made, true])
})

/** What comes on the band of data. */
function packIn(answer: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = answer.indexOf('packfile\n') + 'packfile\n'.length; ; ) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16)
    if (length === 0) return Buffer.concat(pieces)
    if (answer[at + 4] === 1) pieces.push(answer.subarray(at + 5, at + length))
    at += length
  }
}
