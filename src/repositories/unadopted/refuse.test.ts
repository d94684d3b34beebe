import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { git } from '../../../test/harness.ts'
import { idOf, makeTree } from '../../../test/pack-builder.ts'
import { makeSite, packIn, type Site } from './unadopted.fixture.ts'

let site: Site
beforeEach(async () => {
  site = await makeSite()
})
afterEach(() => site[Symbol.asyncDispose]())

/** All files below a directory with their content, links as where they lead. */
function contentOf(path: string): Record<string, string> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
  return Object.fromEntries(
    files.map((entry) => [join(entry.parentPath, entry.name), entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'latin1') : 'other']),
  )
}

describe('is refused with the reason, and stays as it was', () => {
  const writeObject = (path: string, type: string, data: Uint8Array) => {
    const oid = idOf(type as 'tree', data)
    mkdirSync(join(path, 'objects', oid.slice(0, 2)), { recursive: true })
    writeFileSync(join(path, 'objects', oid.slice(0, 2), oid.slice(2)), deflateSync(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data])))
    return oid
  }
  const commitOf = (path: string, tree: string) =>
    writeObject(path, 'commit', Buffer.from(`tree ${tree}\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\nx\n`))

  const cases: [claim: string, change: (path: string) => Promise<unknown> | unknown, reason: RegExp][] = [
    ['no repository', (path) => rmSync(join(path, 'HEAD')), /it is not a bare git repository/],
    [
      'a working copy',
      async (path) => {
        rmSync(path, { recursive: true })
        await git(['init', '-q', path])
      },
      /it is not a bare git repository/,
    ],
    [
      'a damaged pack',
      (path) => {
        const pack = packIn(path)
        const bytes = readFileSync(pack)
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
        chmodSync(pack, 0o644)
        writeFileSync(pack, bytes)
      },
      /entry \d+ at byte \d+|checksum/,
    ],
    [
      'a loose object with the bytes of another',
      (path) => {
        const oid = writeObject(path, 'blob', Buffer.from('one'))
        const file = join(path, 'objects', oid.slice(0, 2), oid.slice(2))
        writeFileSync(file, deflateSync(Buffer.from('blob 3\0two')))
        writeFileSync(join(path, 'refs/heads/bad'), commitOf(path, writeObject(path, 'tree', makeTree([['100644', 'x', oid]]))))
      },
      /names the (tree and )?blob [0-9a-f]{40}, which is neither in the pack/,
    ],
    [
      'a missing blob',
      (path) => writeFileSync(join(path, 'refs/heads/bad'), commitOf(path, writeObject(path, 'tree', makeTree([['100644', 'x', '1'.repeat(40)]])))),
      /Cannot find object 1{40}/,
    ],
    ['a ref to a missing object', (path) => writeFileSync(join(path, 'refs/tags/bad'), '1'.repeat(40)), /Cannot find object 1{40}/],
    [
      'a branch that is no commit',
      async (path) => writeFileSync(join(path, 'refs/heads/bad'), await git(['-C', path, 'rev-parse', 'main:run.sh'])),
      /refs\/heads\/bad is a blob/,
    ],
    [
      'a tree with a .git in it',
      (path) =>
        writeFileSync(
          join(path, 'refs/heads/bad'),
          commitOf(path, writeObject(path, 'tree', makeTree([['40000', '.git', '4b825dc642cb6eb9a060e54bf8d69288fbee4904']]))),
        ),
      /\.git|4b825dc/,
    ],
    [
      'a tree with an entry twice',
      (path) => {
        const blob = writeObject(path, 'blob', Buffer.from('x'))
        const tree = makeTree([
          ['100644', 'x', blob],
          ['100644', 'x', blob],
        ])
        writeFileSync(join(path, 'refs/heads/bad'), commitOf(path, writeObject(path, 'tree', tree)))
      },
      /has the entry "x" twice/,
    ],
    [
      'objects borrowed from another repository',
      async (path) => {
        await git(['clone', '-q', '--bare', '--shared', path, `${path}.shared`])
        cpSync(join(path, 'objects'), join(path, '..', 'lender'), { recursive: true })
        rmSync(path, { recursive: true })
        renameSync(`${path}.shared`, path)
        writeFileSync(join(path, 'objects/info/alternates'), `${join(path, '..', 'lender')}\n`)
      },
      /uses objects of another repository/,
    ],
    [
      'a partial clone',
      async (path) => {
        await git(['-C', path, 'config', 'uploadpack.allowFilter', 'true'])
        await git(['clone', '-q', '--bare', '--filter=blob:none', `file://${path}`, `${path}.partial`])
        rmSync(path, { recursive: true })
        renameSync(`${path}.partial`, path)
      },
      /it is a partial clone/,
    ],
    [
      'a detached HEAD with work that is on no branch',
      async (path) => {
        const oid = await git(['-C', path, 'commit-tree', '-p', 'main', '-m', 'x', 'main^{tree}'])
        writeFileSync(join(path, 'HEAD'), `${oid}\n`)
      },
      /HEAD is detached at [0-9a-f]{40}, which no ref contains/,
    ],
    [
      'a shallow clone',
      async (path) => {
        await git(['clone', '-q', '--bare', '--depth', '2', `file://${path}`, `${path}.shallow`])
        rmSync(path, { recursive: true })
        renameSync(`${path}.shallow`, path)
      },
      /it is a shallow clone/,
    ],
    [
      'a pack that is a link',
      (path) => {
        const pack = packIn(path)
        renameSync(pack, join(path, 'elsewhere'))
        symlinkSync(join(path, 'elsewhere'), pack)
      },
      /objects\/pack\/pack-\w+\.pack is not a plain file/,
    ],
    [
      'a HEAD that is a pipe',
      async (path) => {
        rmSync(join(path, 'HEAD'))
        Bun.spawnSync(['mkfifo', join(path, 'HEAD')])
      },
      /HEAD is not a plain file/,
    ],
    [
      'objects that no ref leads to',
      (path) => {
        rmSync(join(path, 'refs'), { recursive: true })
        rmSync(join(path, 'packed-refs'), { force: true })
        mkdirSync(join(path, 'refs'))
      },
      /it has objects, but no refs/,
    ],
    [
      'refs that get in the way of one another',
      async (path) => writeFileSync(join(path, 'packed-refs'), `${await git(['-C', path, 'rev-parse', 'main'])} refs/heads/main/next\n`),
      /refs\/heads\/main.*conflict/,
    ],
  ]

  test.each(cases)('%s', async (_claim, change, reason) => {
    const path = site.drop('ada/engine')
    await change(path)
    const content = contentOf(path)
    const neighbours = readdirSync(site.repositories)
    const { status, body } = await site.adopt('ada/engine')
    expect({ status, message: body.message }).toEqual({ status: 422, message: expect.stringMatching(/^Cannot adopt ada\/engine: /) })
    expect(body.message).toMatch(reason)
    expect(contentOf(path)).toEqual(content)
    expect(readdirSync(site.repositories)).toEqual(neighbours)
    expect((await site.forge.asUser(site.root).get('/repos/ada/engine')).status).toBe(404)
    expect(await site.list()).toEqual(['ada/engine'])
  })

  const limits: [setting: string, value: number, reason: RegExp][] = [
    ['MAX_PACK_SIZE', 2048, /2048 bytes/],
    ['MAX_PACK_OBJECTS', 50, /50/],
    ['MAX_OBJECT_SIZE', 1024, /1024/],
    ['MAX_COMMANDS', 2, /more than 2 refs/],
  ]
  test.each(limits)('more than git.%s allows', async (setting, value, reason) => {
    await site[Symbol.asyncDispose]()
    site = await makeSite({ git: { [setting]: value } })
    const path = site.drop('ada/engine')
    const { status, body } = await site.adopt('ada/engine')
    expect({ status, message: body.message }).toEqual({ status: 422, message: expect.stringMatching(reason) })
    expect(existsSync(join(path, 'HEAD'))).toBe(true)
    expect(readdirSync(site.repositories)).toEqual(['ada'])
  })
})
