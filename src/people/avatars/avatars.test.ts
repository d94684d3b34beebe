import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallOptions, type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { failCommits } from '../../../test/lost-commit.ts'
import { outcome } from '../../../test/outcome.ts'
import { uploadAvatar } from './change-avatar.ts'
import { sweepPictures } from './files.ts'

let forge: TestForge
let ada: Person
let bob: Person
let root: Person
/** Whether the forge is no longer as `fill` left it. */
let isUsed = true
beforeEach(() => (isUsed ? fill() : undefined))

async function fill() {
  await forge?.[Symbol.asyncDispose]()
  forge = testForge()
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  root = await forge.person('root1', { isAdmin: true })
  await call('POST /orgs', { as: ada, body: { username: 'acme' } })
  await call('POST /orgs', { as: ada, body: { username: 'hidden', visibility: 'private' } })
  forge.repo(ada, 'engine')
  forge.repo(ada, 'secret', { private: true })
  isUsed = false
}
afterAll(() => forge?.[Symbol.asyncDispose]())

async function call<T = Record<string, unknown>>(line: string, options?: CallOptions) {
  const reply = await forge.asUser(options?.as).send<T>(line, options)
  if (!line.startsWith('GET') && reply.status < 400) isUsed = true
  return reply
}

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const draw = (width: number, height: number) => new Bun.Image(gif).resize(width, height, { filter: 'nearest' })
const png = await draw(8, 8).png().bytes()
const pictures = { png, jpeg: await draw(8, 8).jpeg().bytes(), webp: await draw(8, 8).webp().bytes(), gif }
const [wide, high] = [await draw(4097, 1).png().bytes(), await draw(1, 4097).png().bytes()]
const image = png.toBase64()

/** The files there are. */
function kept(): string[] {
  const directory = join(forge.context.config.dataPath, 'avatars')
  return existsSync(directory) ? readdirSync(directory) : []
}

/** What a browser gets that follows `avatar_url`. */
async function look(url: string, headers: Record<string, string> = {}) {
  const response = await forge.app.handle(new Request(url.replace('//localhost:3000/', '//localhost/'), { headers }))
  return { status: response.status, headers: response.headers, bytes: await response.bytes() }
}

async function urlOf(path: string, as?: Person): Promise<string> {
  return (await call<{ avatar_url: string }>(`GET ${path}`, { as })).body.avatar_url
}

test.each(Object.entries(pictures))('a %s is shown byte for byte, under a type that no browser runs', async (kind, bytes) => {
  expect((await call('POST /user/avatar', { as: ada, body: { image: bytes.toBase64() } })).status).toBe(204)
  const shown = await look(await urlOf('/users/ada'))
  expect(shown.bytes).toEqual(new Uint8Array(bytes))
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': `image/${kind}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'cache-control': 'private, max-age=31536000, immutable',
  })
})

const access: [path: string, statuses: number[]][] = [
  // nobody, stranger, owner, site administrator
  ['/user/avatar', [401, 204, 204, 204]],
  ['/orgs/acme/avatar', [401, 403, 204, 204]],
  ['/orgs/hidden/avatar', [404, 404, 204, 204]],
  ['/orgs/ada/avatar', [404, 404, 404, 404]],
  ['/orgs/missing/avatar', [404, 404, 404, 404]],
  ['/repos/ada/engine/avatar', [401, 403, 204, 204]],
  ['/repos/ada/secret/avatar', [404, 404, 204, 204]],
  ['/repos/ada/missing/avatar', [404, 404, 404, 404]],
]
test.each(access)('%s is changed and removed by whom it concerns', async (path, statuses) => {
  for (const method of ['POST', 'DELETE']) {
    const replies = await Promise.all([undefined, bob, ada, root].map((as) => call(`${method} ${path}`, { as, body: { image } })))
    expect([method, ...replies.map(({ status }) => status)]).toEqual([method, ...statuses])
  }
  expect(kept()).toEqual([])
})

test('who writes to a repository, or is a member of an organization, does not change its picture', async () => {
  await call('PUT /repos/ada/engine/collaborators/bob', { as: ada, body: { permission: 'write' } })
  const team = await call('POST /orgs/acme/teams', { as: ada, body: { name: 'crew', permission: 'admin', units: ['repo.code'] } })
  await call(`PUT /teams/${team.body.id}/members/bob`, { as: ada })
  const replies = await Promise.all(['/repos/ada/engine', '/orgs/acme'].map((path) => call(`POST ${path}/avatar`, { as: bob, body: { image } })))
  expect(replies.map(({ status }) => status)).toEqual([403, 403])
  await call('PUT /repos/ada/engine/collaborators/bob', { as: ada, body: { permission: 'admin' } })
  expect((await call('POST /repos/ada/engine/avatar', { as: bob, body: { image } })).status).toBe(204)
})

test('a token needs the scope of what it changes, and one for public things changes nothing that is hidden', async () => {
  const shy = await forge.person('shy', { visibility: 'private' })
  const asked = (path: string, person: Person, ...scopes: string[]) => call(`POST ${path}`, { as: forge.token(person, ...scopes), body: { image } })
  const replies = await Promise.all([
    asked('/user/avatar', ada, 'read:user', 'write:repository'),
    asked('/orgs/acme/avatar', ada, 'write:user'),
    asked('/repos/ada/engine/avatar', ada, 'write:user'),
    asked('/user/avatar', shy, 'all', 'public-only'),
    asked('/orgs/hidden/avatar', ada, 'all', 'public-only'),
    asked('/repos/ada/secret/avatar', ada, 'all', 'public-only'),
    asked('/user/avatar', ada, 'write:user'),
  ])
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 404, 404, 204])
})

test('an account, an organization and a repository tell where their picture is, and each picture has an address of its own', async () => {
  expect(await urlOf('/users/ada')).toBe(`http://localhost:3000/avatars/${ada.row.id}`)
  expect(await urlOf('/orgs/acme')).toMatch(/^http:\/\/localhost:3000\/avatars\/\d+$/)
  expect(await urlOf('/repos/ada/engine')).toBe('')
  for (const path of ['/user', '/orgs/acme', '/repos/ada/engine']) await call(`POST ${path}/avatar`, { as: ada, body: { image } })
  const urls = [await urlOf('/users/ada'), await urlOf('/orgs/acme'), await urlOf('/repos/ada/engine')]
  expect(urls).toEqual([
    expect.stringMatching(/^http:\/\/localhost:3000\/avatars\/[0-9a-f]{48}\.png$/),
    expect.stringMatching(/^http:\/\/localhost:3000\/avatars\/[0-9a-f]{48}\.png$/),
    expect.stringMatching(/^http:\/\/localhost:3000\/repo-avatars\/[0-9a-f]{48}\.png$/),
  ])
  expect(new Set(urls).size).toBe(3)
  expect((await call<{ owner: { avatar_url: string } }>('GET /repos/ada/engine')).body.owner.avatar_url).toBe(urls[0] as string)
  expect((await look(urls[2] as string)).bytes).toEqual(png)
  expect((await look((urls[2] as string).replace('repo-avatars', 'avatars'))).status).toBe(404)
})

test('another picture has another address, and the one before is gone; without one, what there was without one is back', async () => {
  await call('POST /user/avatar', { as: ada, body: { image } })
  const first = await urlOf('/user', ada)
  await call('POST /user/avatar', { as: ada, body: { image: pictures.webp.toBase64() } })
  const second = await urlOf('/user', ada)
  expect([(await look(first)).status, (await look(second)).bytes]).toEqual([404, pictures.webp])
  expect(kept()).toEqual([second.slice(second.lastIndexOf('/') + 1)])
  for (let i = 0; i < 2; i++) expect((await call('DELETE /user/avatar', { as: ada })).status).toBe(204)
  expect(await urlOf('/user', ada)).toBe(`http://localhost:3000/avatars/${ada.row.id}`)
  expect([(await look(second)).status, kept()]).toEqual([404, []])
})

test('a picture that the disk has changed is shown to nobody; one from before that could be told is', async () => {
  const { dataPath } = forge.context.config
  const rename = (from: string, to: string) => {
    renameSync(join(dataPath, 'avatars', from), join(dataPath, 'avatars', to))
    forge.context.db.tx((tx) => tx.run('UPDATE user SET avatar = ? WHERE avatar = ?', to, from))
  }
  await call('POST /user/avatar', { as: ada, body: { image } })
  const url = await urlOf('/user', ada)
  const name = url.slice(url.lastIndexOf('/') + 1)
  const damaged = png.with(png.length - 1, 1)
  writeFileSync(join(dataPath, 'avatars', name), damaged)
  expect((await look(url)).status).toBe(500)
  const former = `${name.slice(0, 40)}.png`
  rename(name, former)
  expect((await look(url.replace(name, former))).bytes).toEqual(damaged)
  await call('DELETE /user/avatar', { as: ada })
  expect(kept()).toEqual([])
})

test('a browser that has a picture is not sent it again', async () => {
  await call('POST /user/avatar', { as: ada, body: { image } })
  const url = await urlOf('/user', ada)
  const etag = (await look(url)).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[0-9a-f]{48}\.png"$/)
  const again = await look(url, { 'If-None-Match': `"other", W/${etag}` })
  expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag])
  expect((await look(url, { 'If-None-Match': '"other"' })).status).toBe(200)
})

describe('what is no picture that fits', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>')
  const bmp = Buffer.from('424d3a000000000000003600000028000000010000000100000001001800000000000400000000000000000000000000000000000000ffffff00', 'hex')
  const endless = new Uint8Array(png)
  new DataView(endless.buffer).setUint32(16, 0x7fffffff)
  const flat = new Uint8Array(png)
  new DataView(flat.buffer).setUint32(16, 0)
  const screen = Buffer.from(gif)
  screen.writeUInt16LE(0xffff, 6)
  const lines = Buffer.from(gif)
  lines.writeUInt16LE(4097, 8)
  const frame = Buffer.from(gif)
  frame.writeUInt16LE(4097, 0x20)
  const chunk = (name: string, ...data: Uint8Array[]) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.concat(data).length)
    return Buffer.concat([Buffer.from(name), length, ...data])
  }
  /** The WebP with a canvas of its own, to stand still or to move. Source: https://developers.google.com/speed/webp/docs/riff_container */
  const onCanvas = (width: number, height: number, moves: boolean) => {
    const canvas = Buffer.of(moves ? 2 : 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    canvas.writeUIntLE(width - 1, 4, 3)
    canvas.writeUIntLE(height - 1, 7, 3)
    const pixels = pictures.webp.subarray(12)
    const frame = Buffer.concat([Buffer.of(0, 0, 0, 0, 0, 0, 7, 0, 0, 7, 0, 0, 0, 0, 0, 0), pixels])
    return chunk('RIFF', Buffer.from('WEBP'), chunk('VP8X', canvas), ...(moves ? [chunk('ANIM', Buffer.alloc(6)), chunk('ANMF', frame)] : [pixels]))
  }
  const kinds = 'use PNG, JPEG, GIF or WebP'
  const bad: [what: string, image: unknown, status: number, message: string][] = [
    ['an SVG', svg.toBase64(), 422, kinds],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>').toBase64(), 422, kinds],
    ['a BMP', bmp.toBase64(), 422, kinds],
    ['nothing', '', 422, kinds],
    ['a PNG without its header', png.slice(0, 20).toBase64(), 422, kinds],
    ['a GIF without its header', gif.subarray(0, 8).toBase64(), 422, kinds],
    ['a JPEG without its header', pictures.jpeg.slice(0, 20).toBase64(), 422, kinds],
    ['a WebP without its header', pictures.webp.slice(0, 16).toBase64(), 422, kinds],
    ['a PNG of two thousand million pixels a line', endless.toBase64(), 422, kinds],
    ['a PNG without pixels', flat.toBase64(), 422, kinds],
    ['a picture one pixel too wide', wide.toBase64(), 422, '4097 × 1 pixels, the limit is 4096 × 4096'],
    ['a picture one pixel too high', high.toBase64(), 422, '1 × 4097 pixels, the limit is 4096 × 4096'],
    ['a GIF of one pixel on a screen too wide', screen.toBase64(), 422, '65535 × 1 pixels, the limit is 4096 × 4096'],
    ['a GIF of one pixel on a screen too high', lines.toBase64(), 422, '1 × 4097 pixels, the limit is 4096 × 4096'],
    ['a GIF whose screen is smaller than its frame', frame.toBase64(), 422, '4097 × 1 pixels, the limit is 4096 × 4096'],
    ['a WebP whose canvas is larger than it', onCanvas(4097, 8, false).toBase64(), 422, kinds],
    ['a WebP that moves on a canvas too large', onCanvas(8, 16_384, true).toBase64(), 422, '8 × 16384 pixels, the limit is 4096 × 4096'],
    ['a byte too many', Buffer.concat([png], 1_048_577).toBase64(), 413, '1048577 bytes, the limit is 1048576'],
    ['a data URL', `data:image/png;base64,${image}`, 400, 'use padded base64'],
    [
      'base64 without padding',
      Buffer.concat([gif, new Uint8Array(1)])
        .toBase64()
        .replace(/=+$/, ''),
      400,
      'use padded base64',
    ],
    ['a number', 7, 422, '[image]'],
    ['no image at all', undefined, 422, '[image]'],
  ]
  test.each(bad)('%s is refused, and nothing is kept', async (_, image, status, message) => {
    const reply = await call('POST /user/avatar', { as: ada, body: { image } })
    expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(message)])
    expect([await urlOf('/user', ada), kept()]).toEqual([`http://localhost:3000/avatars/${ada.row.id}`, []])
  })

  test('the picture before stays when another is refused', async () => {
    await call('POST /user/avatar', { as: ada, body: { image } })
    const before = [await urlOf('/user', ada), kept()]
    expect((await call('POST /user/avatar', { as: ada, body: { image: svg.toBase64() } })).status).toBe(422)
    expect([await urlOf('/user', ada), kept()]).toEqual(before)
  })

  test('what just fits is taken', async () => {
    const largest = (await draw(4096, 4096).png().bytes()) as Uint8Array
    expect((await call('POST /user/avatar', { as: ada, body: { image: largest.toBase64() } })).status).toBe(204)
    const padded = Buffer.concat([png], 1_048_576)
    const reply = await call('POST /user/avatar', { as: ada, body: { image: padded.toBase64() }, headers: { 'Content-Length': '1398200' } })
    expect([reply.status, (await look(await urlOf('/user', ada))).bytes.length]).toEqual([204, 1_048_576])
  })

  test('what fits is a matter of settings', async () => {
    await using small = testForge({ picture: { AVATAR_MAX_FILE_SIZE: 10_000, AVATAR_MAX_WIDTH: 7, AVATAR_MAX_HEIGHT: 8 } })
    const one = await small.person('one')
    const sizes: [number, number][] = [
      [8, 8],
      [7, 9],
      [7, 8],
    ]
    const images = await Promise.all(sizes.map(async ([width, height]) => (await draw(width, height).png().bytes()).toBase64()))
    const statuses = []
    for (const image of images) statuses.push((await small.asUser(one).post('/user/avatar', { image })).status)
    expect(statuses).toEqual([422, 422, 204])
  })
})

describe('nothing is left behind', () => {
  const old = new Date('2020-01-01')
  const age = () => {
    for (const name of kept()) utimesSync(join(forge.context.config.dataPath, 'avatars', name), old, old)
  }

  test('whose account, organization or repository is deleted, their picture is', async () => {
    const paths = ['/repos/ada/engine', '/orgs/acme', '/user'] as const
    for (const path of paths) await call(`POST ${path}/avatar`, { as: ada, body: { image } })
    await call('POST /user/avatar', { as: bob, body: { image } })
    const urls = await Promise.all(paths.map((path) => urlOf(path, ada)))
    await call('DELETE /repos/ada/engine', { as: ada })
    await call('DELETE /orgs/acme', { as: ada })
    expect(await Promise.all(urls.map(async (url) => (await look(url)).status))).toEqual([404, 404, 200])
    expect((await call('DELETE /admin/users/ada?purge=true', { as: root })).status).toBe(204)
    expect((await look(urls[2] as string)).status).toBe(404)
    age()
    await sweepPictures(forge.context)
    expect(kept()).toEqual([(await urlOf('/user', bob)).replace(/.*\//, '')])
  })

  test('a file that a crash left goes, one that may be about to be used stays, and so does what is no picture of ours', async () => {
    await call('POST /user/avatar', { as: ada, body: { image } })
    const [used] = kept() as [string]
    const directory = join(forge.context.config.dataPath, 'avatars')
    writeFileSync(join(directory, `${'a'.repeat(40)}.png`), png)
    writeFileSync(join(directory, 'notes.txt'), 'mine')
    age()
    writeFileSync(join(directory, `${'b'.repeat(40)}.gif`), png)
    await sweepPictures(forge.context)
    expect(kept().toSorted()).toEqual([used, `${'b'.repeat(40)}.gif`, 'notes.txt'].toSorted())
  })

  test('who is deleted while their picture arrives leaves none', async () => {
    isUsed = true
    const error = await uploadAvatar(forge.context, ada.row, { table: 'user', id: 999 }, image).catch((problem) => problem)
    expect([error.status, kept()]).toEqual([404, []])
  })

  test('who is barred while they upload a picture changes none', async () => {
    isUsed = true
    const uploaded = uploadAvatar(forge.context, ada.row, { table: 'user', id: ada.row.id }, image).catch((problem) => problem)
    forge.context.db.tx((tx) => tx.update('user', ada.row.id, { prohibit_login: 1 }))
    expect([(await uploaded).status, kept()]).toEqual([401, []])
  })

  test('a disk that takes nothing changes nothing', async () => {
    isUsed = true
    writeFileSync(join(forge.context.config.dataPath, 'avatars'), 'in the way')
    expect((await call('POST /user/avatar', { as: ada, body: { image } })).status).toBe(500)
    expect(await urlOf('/user', ada)).toBe(`http://localhost:3000/avatars/${ada.row.id}`)
  })

  test('very many files are swept a few at a time, and others get their turns', async () => {
    isUsed = true
    const directory = join(forge.context.config.dataPath, 'avatars')
    mkdirSync(directory, { recursive: true })
    for (let n = 0; n < 500; n++) writeFileSync(join(directory, `${n.toString(16).padStart(40, '0')}.png`), '')
    age()
    const left: number[] = []
    setImmediate(() => left.push(kept().length))
    await sweepPictures(forge.context)
    expect(left[0]).toBeGreaterThan(0)
    expect([left.length, kept()]).toEqual([1, []])
  })

  test('without any picture there is nothing to sweep', async () => {
    expect(await sweepPictures(forge.context)).toBeUndefined()
  })
})

test('an account without a picture has one drawn here, the same each time, that cannot run', async () => {
  const looks = await Promise.all(['1', '1', '2', '999999'].map((id) => look(`http://localhost/avatars/${id}`)))
  const [one, , , absent] = looks
  expect(one?.headers.get('content-type')).toBe('image/svg+xml')
  expect(one?.headers.get('content-security-policy')).toContain('sandbox')
  const drawings = looks.map(({ bytes }) => new TextDecoder().decode(bytes))
  expect(drawings[0]).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"')
  expect(drawings[1]).toBe(drawings[0])
  expect(drawings[2]).not.toBe(drawings[0])
  expect(absent?.status).toBe(200)
})

test.each(['/avatars/../1', '/avatars/..%2fpocketforge.db', '/avatars/', `/avatars/${'0'.repeat(40)}.png`, '/avatars/1.png', '/repo-avatars/1'])(
  '%s leads nowhere',
  async (path) => {
    expect((await look(`http://localhost${path}`)).status).toBe(404)
  },
)

test.each([
  ['SQLITE_FULL', 0],
  ['SQLITE_IOERR_FSYNC', 1],
] as const)('a picture whose commit fails with %s leaves %d files: one that the disk may have is not taken from it', async (code, files) => {
  await using own = testForge()
  const { row } = await own.person('ada')
  using _ = failCommits(code)
  const image = Buffer.from(pictures.png as Uint8Array).toString('base64')
  expect(await outcome(uploadAvatar(own.context, row, { table: 'user', id: row.id }, image))).toThrow(code)
  expect(readdirSync(join(own.context.config.dataPath, 'avatars'))).toHaveLength(files)
})
