import { beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../git.ts'
import { commitFiles, forgeForStories, newWorkingCopy, story } from './forge.ts'

const MIB = 1024 * 1024
const PEERS = 48
/** Half of it is for streams, of which each takes half a MiB. */
const MEMORY = 32 * MIB
/** More than the buffers of both ends of a connection take. */
const FILE_BYTES = 12 * MIB

story('many ask for much and read nothing of it', () => {
  // Whoever takes nothing is cut off for others after a sixth of that.
  const forge = forgeForStories({ env: { POCKETFORGE_SERVER_ANSWER_MEMORY: String(MEMORY), POCKETFORGE_SERVER_PROGRESS_SECONDS: '12' } })
  let tip = ''

  beforeAll(async () => {
    const copy = await newWorkingCopy(join(forge.directory, 'copy'))
    // Noise, in which git would look for what it can make smaller for seconds.
    await git(['config', 'core.compression', '0'], { cwd: copy })
    await git(['config', 'core.bigFileThreshold', '1m'], { cwd: copy })
    tip = await commitFiles(copy, 'Start', { 'large.bin': randomBytes(FILE_BYTES), 'some.bin': randomBytes(6 * MIB) })
    await git(['push', '--quiet', forge.url('ada/large', forge.ada), 'main'], { cwd: copy })
    await forge.api('PATCH /repos/ada/large', forge.ada, { private: false })
  }, 120_000)

  const asks: Record<string, () => string> = {
    clone: () => {
      const body = `${pkt('command=fetch\n')}0001${pkt(`want ${tip}\n`)}${pkt('done\n')}0000`
      const headers = `Git-Protocol: version=2\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}`
      return `POST /ada/large.git/git-upload-pack HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`
    },
    json: () => 'GET /api/v1/repos/ada/large/contents/some.bin HTTP/1.1\r\nHost: localhost\r\n\r\n',
    archive: () => 'GET /ada/large/archive/main.tar HTTP/1.1\r\nHost: localhost\r\n\r\n',
  }

  test.each(Object.keys(asks))(
    'each a %s: they hold what the setting allows, and a clone beside them goes on',
    async (kind) => {
      const before = anonymousBytes(forge.server.pid)
      await using _peers = await unreadPeers(forge.server.origin, PEERS, (asks[kind] as () => string)())
      await git(['clone', '--quiet', '--bare', forge.url('ada/large'), join(forge.directory, `${kind}.git`)])
      // What the one clone takes, and garbage that is yet to be collected, come on top.
      expect(anonymousBytes(forge.server.pid) - before).toBeLessThan(MEMORY + 450 * MIB)
    },
    120_000,
  )
})

function pkt(text: string): string {
  return (text.length + 4).toString(16).padStart(4, '0') + text
}

/** Connections that have sent a request each, and read nothing. */
async function unreadPeers(origin: string, count: number, request: string): Promise<AsyncDisposable> {
  const { hostname, port } = new URL(origin)
  const handlers: Bun.SocketHandler = {
    open(socket) {
      socket.pause()
      socket.write(request)
    },
    data() {},
    error() {},
  }
  const sockets = await Promise.all(Array.from({ length: count }, () => Bun.connect({ hostname, port: Number(port), socket: handlers })))
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** What the process holds that is no file's. */
function anonymousBytes(pid: number): number {
  const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kib) * 1024
}
