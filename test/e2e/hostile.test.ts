import { beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { git } from '../git.ts'
import { damagedPacks, type HostilePack, honestPack, hostilePacks } from '../hostile-packs.ts'
import { soak } from '../soak.ts'
import { commitFiles, forgeForStories, fsck, newWorkingCopy, storedRepositories, story } from './forge.ts'

const ZERO = '0'.repeat(40)

story('a hostile push stores nothing', () => {
  const forge = forgeForStories()
  let tip: string

  beforeAll(async () => {
    const copy = await newWorkingCopy(join(forge.directory, 'copy'))
    tip = await commitFiles(copy, 'Start', { a: 'a\n' })
    await git(['push', '--quiet', forge.url('ada/target', forge.ada), 'main'], { cwd: copy })
  }, 120_000)

  /** Sends a push by hand; answers what its report says of the pack. */
  async function send(repository: string, body: Uint8Array): Promise<{ status: number; unpack: string | undefined; text: string }> {
    const response = await fetch(`${forge.url(repository)}/git-receive-pack`, {
      method: 'POST',
      headers: { Authorization: forge.ada.authorization, 'Content-Type': 'application/x-git-receive-pack-request' },
      body,
    })
    const text = await response.text()
    return { status: response.status, unpack: /^[0-9a-f]{4}unpack (.*)$/m.exec(text)?.[1], text }
  }

  const pushOf = (pack: Uint8Array, name = 'refs/heads/evil', value = tip): Uint8Array =>
    Buffer.concat([pkt(`${ZERO} ${value} ${name}\0report-status\n`), Buffer.from('0000'), pack])

  /** Every file and directory of objects that the server keeps, files with their content's hash; what it derives from them, left out. */
  async function stored(): Promise<string[]> {
    const directory = join(forge.server.data, 'repositories')
    const files = [...new Bun.Glob('*.git/objects/**/*').scanSync({ cwd: directory, dot: true, onlyFiles: false })]
      .filter((name) => !name.includes('/objects/info'))
      .sort()
    return Promise.all(
      files.map(
        async (name) =>
          `${name} ${createHash('sha1')
            .update(await contentOrNothing(join(directory, name)))
            .digest('hex')}`,
      ),
    )
  }

  async function expectAllRefused(packs: readonly HostilePack[]): Promise<void> {
    const before = await stored()
    const wrong: string[] = []
    for (const { name, pack, expected } of packs) {
      const { status, unpack, text } = await send('ada/target', pushOf(pack))
      if (status !== 200 || unpack === undefined || !expected.test(unpack))
        wrong.push(`${name}: ${status} ${JSON.stringify(text.slice(0, 300))}, expected ${expected}`)
    }
    expect(wrong).toEqual([])
    expect(await stored()).toEqual(before)
    expect(await git(['ls-remote', forge.url('ada/target', forge.ada)])).toBe(`${tip}\tHEAD\n${tip}\trefs/heads/main`)
    expect((await forge.api('GET /version')).status).toBe(200)
  }

  test('every pack of the corpus is refused with a reason, and nothing of it stays', () => expectAllRefused(hostilePacks()), 120_000)

  test(
    'a pack cut off anywhere or with any byte changed is refused, and nothing of it stays',
    () => expectAllRefused(damagedPacks().filter((_, i) => i % soak(27, 1) === 0)),
    120_000,
  )

  test('a refused first push creates no repository', async () => {
    const [worst] = hostilePacks() as [HostilePack]
    expect((await send('ada/unborn', pushOf(worst.pack))).unpack).toMatch(worst.expected)
    expect((await forge.api('GET /repos/ada/unborn', forge.ada)).status).toBe(404)
  })

  test('a ref name that git would refuse, or that leads elsewhere, is refused', async () => {
    const before = await stored()
    const names = [
      'HEAD',
      'config',
      'refs/heads/../../config',
      'refs/heads/a.lock',
      'refs/heads/a..b',
      'refs/heads/',
      'refs/heads/-x',
      'refs/heads/a\x1b[2J',
      'refs//heads/a',
      'refs/heads/HEAD',
      'refs/heads/.a',
      '/etc/passwd',
    ]
    for (const name of names) {
      const { status, text } = await send('ada/target', pushOf(honestPackOf(), name))
      expect({ name, status, text }).toMatchObject({ status: 200, text: expect.stringMatching(/[0-9a-f]{4}ng /) })
      expect(text).not.toContain('\x1b')
    }
    expect(await stored()).toEqual(before)
  })

  test('a ref to an object that is nowhere is refused', async () => {
    const { text } = await send('ada/target', pushOf(honestPackOf(), 'refs/heads/nowhere', '1'.repeat(40)))
    expect(text).toMatch(/ng refs\/heads\/nowhere /)
  })

  test('commands that are no commands fail the whole push, whatever else is in it', async () => {
    const good = `${ZERO} ${tip} refs/heads/good\0report-status\n`
    const bad = ['short', `${ZERO} ${tip}`, `${ZERO}  ${tip} refs/heads/x`, `${ZERO.slice(1)}x ${tip} refs/heads/x`, 'x'.repeat(65_000)]
    for (const line of bad) {
      const { status } = await send('ada/target', Buffer.concat([pkt(good), pkt(line), Buffer.from('0000'), honestPackOf()]))
      expect({ line: line.slice(0, 50), status }).toMatchObject({ status: 400 })
    }
    for (const body of ['', '0000', 'zzzz', '0003', '00', 'fff1x']) expect((await send('ada/target', Buffer.from(body))).status).toBeOneOf([200, 400])
    expect(await git(['ls-remote', forge.url('ada/target', forge.ada), 'refs/heads/good'])).toBe('')
  })

  test('a body that inflates without end is cut off', async () => {
    const bomb = gzipSync(Buffer.concat([pkt(`${ZERO} ${tip} refs/heads/bomb\0report-status\n`), Buffer.alloc(soak(40, 200) << 20, '0008NONE')]))
    const response = await fetch(`${forge.url('ada/target')}/git-receive-pack`, {
      method: 'POST',
      headers: { Authorization: forge.ada.authorization, 'Content-Type': 'application/x-git-receive-pack-request', 'Content-Encoding': 'gzip' },
      body: bomb,
    })
    expect(response.status).toBeOneOf([400, 413])
    expect((await forge.api('GET /version')).status).toBe(200)
  })

  test('an honest pack sent the same way lands: it is the packs that were refused', async () => {
    const honest = honestPack()
    const blob = createHash('sha1').update('blob 49\0some text of which deltas can copy a part or all\n').digest('hex')
    // To a repository of its own: what lands could be what a hostile pack lacks.
    await forge.api('POST /user/repos', forge.ada, { name: 'honest' })
    expect(await send('ada/honest', pushOf(honest, 'refs/tags/honest', blob))).toMatchObject({ status: 200, unpack: 'ok' })
    for (const path of storedRepositories(forge.server.data)) expect(await fsck(path)).toBe('')
  })
})

async function contentOrNothing(path: string): Promise<Uint8Array> {
  const file = Bun.file(path)
  return (await file.stat()).isFile() ? file.bytes() : new Uint8Array(0)
}

function pkt(text: string): Buffer {
  return Buffer.from((Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text)
}

/** A pack of one empty blob. */
function honestPackOf(): Buffer {
  const body = Buffer.concat([Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1'), Buffer.from([0x30]), deflateSync('')])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}
