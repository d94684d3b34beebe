import { expect, test } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { lineLog } from '#kernel/log.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'

/** What `damage` makes of an object's file. */
const damages: Record<string, (bytes: Buffer) => Buffer> = {
  'cut off': (bytes) => bytes.subarray(0, bytes.length >> 1),
  'not zlib': (bytes) => Buffer.from(bytes.map((byte) => byte ^ 0x5a)),
  nonsense: () => deflateSync(Buffer.from('blob 5\0hello there')),
}

test.each(Object.entries(damages))('what an object that is %s was asked for is 500, and the log has its id', async (_, damage) => {
  const lines: string[] = []
  await using forge = testForge({}, { log: lineLog('error', (line) => lines.push(line)) })
  const ada = await forge.person('ada')
  const repo = forge.repo(ada, 'engine')
  fillRepo(forge, repo.id, (directory) => {
    writeFileSync(join(directory, 'a.txt'), 'some content that is worth deflating, some content that is worth deflating')
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-q', '-m', 'One')
  })
  const bare = forge.context.git.pathOf(repo.id)
  const oid = gitIn(bare, 'rev-parse', 'HEAD:a.txt').trim()
  const file = join(bare, 'objects', oid.slice(0, 2), oid.slice(2))
  chmodSync(file, 0o600)
  writeFileSync(file, damage(readFileSync(file)))
  for (const path of [`/git/blobs/${oid}`, '/contents/a.txt', '/raw/a.txt']) {
    const { status, body } = await forge.asUser(ada).get(`/repos/ada/engine${path}`)
    expect([path, status]).toEqual([path, 500])
    expect(JSON.stringify(body)).not.toContain(oid)
    expect(lines.splice(0)).toEqual([expect.stringContaining(oid)])
  }
})
