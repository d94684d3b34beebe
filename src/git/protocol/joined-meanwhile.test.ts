import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { Collected, contextOf } from './git-server.fixture.ts'
import { uploadPackV0 } from './upload-pack-v0.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

test.each([true, false])('a slow client gets all of the packs that upkeep joins meanwhile, though they were closed for others (exact: %j)', async (exact) => {
  using history = new RandomHistory({ seed: 8, commits: 20, merges: 0.2, lines: 3 })
  history.git('repack', '-dq')
  const commit = (message: string) => history.git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit-tree', '-p', 'main', '-m', message, 'main^{tree}').trim()
  for (const message of ['one', 'two']) {
    history.git('update-ref', 'refs/heads/main', commit(message))
    history.git('repack', '-dq')
  }
  const context = { ...(await contextOf(history.gitDir)), exact }
  expect(context.store.packs.length).toBe(3)
  for (const pack of context.store.packs) pack.rest()
  const sink = new (class extends Collected {
    override write(bytes: Uint8Array): void {
      if (this.bytes.length === 0) history.git('repack', '-adFq')
      super.write(bytes)
    }
  })()
  const wants = [...new Set(context.refs.refs.map(({ oid }) => oid))]
  const lines = [...wants.map((oid) => `want ${oid}\n`), '0000', 'done\n']
  const request = lines.map((line) => (line === '0000' ? line : (line.length + 4).toString(16).padStart(4, '0') + line)).join('')
  const source = (async function* () {
    yield Buffer.from(request)
  })()
  await uploadPackV0(source, context, sink, { stateless: true })
  const copy = `${root.path}/${exact}.git`
  initBare(copy)
  git(['index-pack', '--stdin'], { cwd: copy, stdin: sink.bytes.subarray(8) })
  for (const oid of wants) git(['rev-list', '--objects', '--quiet', oid], { cwd: copy })
  rmSync(copy, { recursive: true })
  context.store.close()
})
