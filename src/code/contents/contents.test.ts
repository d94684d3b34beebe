import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { parseGitmodules } from './submodules.ts'

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
const files: Record<string, string | Uint8Array> = {
  'README.md': '# it\n',
  'dir/inner/deep.txt': 'deep\n',
  'dir/ü ?#%.txt': 'odd name\n',
  'evil.html': '<script>alert(1)</script>',
  'evil.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'evil.xhtml': '<html xmlns="http://www.w3.org/1999/xhtml"/>',
  'picture.png': new Uint8Array([137, 80, 78, 71, 0]),
  'program.exe': new Uint8Array([77, 90, 0, 3]),
  'large.txt': 'x'.repeat(300_000),
  'huge.bin': Buffer.alloc(3_000_000, 'abc'),
  'media.psd': pointer,
  '.gitmodules': '[submodule "libs"]\n\tpath = libs/one\n\turl = https://example.org/one.git\n',
}

const forge = testForge({ api: { DEFAULT_MAX_BLOB_SIZE: 200_000 } })
let path: string
interface Contents {
  name: string
  path: string
  sha: string
  url: string
  content: string | null
  last_commit_sha: string
}

beforeAll(async () => {
  await forge.person('ada')
  for (const name of ['it', 'empty']) await forge.asUser('ada').post('/user/repos', { name })
  fillRepo(forge, 1, makeHistory)
  path = forge.context.git.pathOf(1)
})
afterAll(() => forge[Symbol.asyncDispose]())

function makeHistory(directory: string): void {
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(join(directory, name, '..'), { recursive: true })
    writeFileSync(join(directory, name), data)
  }
  symlinkSync('../../etc/passwd', join(directory, 'link'))
  mkdirSync(join(directory, 'libs/one'), { recursive: true })
  gitIn(directory, 'add', '-A')
  gitIn(directory, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},libs/one`)
  gitIn(directory, 'commit', '-qm', 'first')
  gitIn(directory, 'tag', 'v1')
  writeFileSync(join(directory, 'README.md'), '# it\n\nchanged\n')
  gitIn(directory, 'commit', '-qam', 'second')
  gitIn(directory, 'branch', 'feature/x', 'v1')
}

const textIn = ({ content }: Contents) => Buffer.from(content ?? '', 'base64').toString()
const lastCommit = (name: string, ref = 'main') => gitIn(path, 'log', '-1', '--format=%H', ref, '--', name).trim()

describe('GET …/contents', () => {
  test('a file comes with its content, the commit that last changed it, and where else it is found', async () => {
    const { status, body } = await forge.get<Contents>('/repos/ada/it/contents/README.md')
    const sha = gitIn(path, 'rev-parse', 'main:README.md').trim()
    expect([status, textIn(body)]).toEqual([200, '# it\n\nchanged\n'])
    expect(body).toMatchObject({
      name: 'README.md',
      path: 'README.md',
      sha,
      type: 'file',
      size: 14,
      encoding: 'base64',
      last_commit_sha: lastCommit('README.md'),
      target: null,
      submodule_git_url: null,
      download_url: 'http://localhost:3000/ada/it/raw/branch/main/README.md',
      git_url: `http://localhost:3000/api/v1/repos/ada/it/git/blobs/${sha}`,
    })
  })

  test.each(['v1', 'feature/x', 'feature%2Fx', 'refs/tags/v1'])('?ref=%s is the file as it was there', async (ref) => {
    const { body } = await forge.get<Contents>(`/repos/ada/it/contents/README.md?ref=${ref}`)
    expect([textIn(body), body.last_commit_sha]).toEqual(['# it\n', lastCommit('README.md', 'v1')])
  })

  test('a directory is a list without content, each entry with its own last commit', async () => {
    for (const [line, dir] of [
      ['/contents', ''],
      ['/contents/', ''],
      ['/contents/dir', 'dir/'],
      ['/contents/dir%2Finner', 'dir/inner/'],
      ['/contents/libs', 'libs/'],
    ] as const) {
      const { body } = await forge.get<Contents[]>(`/repos/ada/it${line}`)
      const expected = gitIn(path, '-c', 'core.quotePath=false', 'ls-tree', 'main', ...(dir === '' ? [] : [dir]))
        .trim()
        .split('\n')
      expect(body.map((entry) => `${entry.sha}\t${entry.path}`)).toEqual(expected.map((one) => one.slice(one.indexOf('\t') - 40)))
      for (const entry of body) expect([entry.path, entry.last_commit_sha, entry.content]).toEqual([entry.path, lastCommit(entry.path), null])
    }
    expect((await forge.get<Contents[]>('/repos/ada/it/contents')).body.find(({ path }) => path === 'link')).toMatchObject({ target: '../../etc/passwd' })
  })

  test('links, submodules, pointers and large files are told apart', async () => {
    expect((await forge.get<Contents>('/repos/ada/it/contents/link')).body).toMatchObject({ type: 'symlink', target: '../../etc/passwd', content: null })
    expect((await forge.get<Contents>('/repos/ada/it/contents/libs/one')).body).toMatchObject({
      type: 'submodule',
      submodule_git_url: 'https://example.org/one.git',
      html_url: null,
      git_url: null,
      download_url: null,
      size: 0,
    })
    expect((await forge.get<Contents[]>('/repos/ada/it/contents/libs')).body[0]).toMatchObject({
      type: 'submodule',
      submodule_git_url: 'https://example.org/one.git',
    })
    expect((await forge.get<Contents>('/repos/ada/it/contents/media.psd')).body).toMatchObject({ type: 'file', lfs_oid: 'a'.repeat(64), lfs_size: 12345 })
    expect((await forge.get<Contents>('/repos/ada/it/contents/large.txt')).body).toMatchObject({ type: 'file', size: 300_000, content: null, encoding: null })
  })

  test('names with any character come through', async () => {
    const { body } = await forge.get<Contents>(`/repos/ada/it/contents/${encodeURIComponent('dir/ü ?#%.txt')}`)
    expect([body.name, body.path, textIn(body)]).toEqual(['ü ?#%.txt', 'dir/ü ?#%.txt', 'odd name\n'])
    expect((await forge.get<Contents>(body.url.slice('http://localhost:3000/api/v1'.length))).body).toEqual(body)
  })

  test.each([
    '/contents/absent',
    '/contents/link/passwd',
    '/contents/README.md/x',
    '/contents/libs/one/x',
    '/contents/%2e%2e%2f%2e%2e%2fHEAD',
    '/contents/%2e%2e/x',
    '/contents/dir%00',
    '/contents/%ff',
    '/contents?ref=absent',
    '/contents/README.md?ref=-x',
    `/contents/${'a/'.repeat(3000)}`,
    '/contents/dir/inner/deep.txt%2F..%2F..',
  ])('%s is 404', async (line) => {
    expect((await forge.get(`/repos/ada/it${line}`)).status).toBe(404)
  })

  test('an empty repository has no contents', async () => {
    expect((await forge.get('/repos/ada/empty/contents')).status).toBe(404)
    expect((await forge.get('/repos/ada/empty/contents/x')).status).toBe(404)
    expect((await forge.get('/repos/ada/empty/contents?ref=main')).status).toBe(404)
  })
})

describe('GET …/raw and …/media', () => {
  test.each([
    ['README.md', 'text/plain; charset=utf-8', 'inline'],
    ['evil.html', 'text/plain; charset=utf-8', 'inline'],
    ['evil.xhtml', 'text/plain; charset=utf-8', 'inline'],
    ['evil.svg', 'image/svg+xml', 'inline'],
    ['picture.png', 'image/png', 'inline'],
    ['program.exe', 'application/octet-stream', 'attachment'],
    ['large.txt', 'text/plain; charset=utf-8', 'inline'],
  ])('%s is served as %s, and no browser runs it', async (name, type, disposition) => {
    for (const kind of ['raw', 'media']) {
      const { status, headers } = await forge.get(`/repos/ada/it/${kind}/${name}`)
      expect([status, headers.get('content-type'), headers.get('x-gitea-object-type')]).toEqual([200, type, 'file'])
      expect(headers.get('content-disposition')).toStartWith(`${disposition};`)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
    }
  })

  test('the bytes are those of the file, at any ref, however the ref is given', async () => {
    expect((await forge.get<string>('/repos/ada/it/raw/large.txt')).body).toBe(files['large.txt'] as string)
    for (const line of [
      '/raw/README.md?ref=v1',
      '/raw/v1/README.md',
      '/raw/feature/x/README.md',
      '/raw/feature%2Fx%2FREADME.md',
      `/raw/${lastCommit('README.md', 'v1')}/README.md`,
    ])
      expect((await forge.get<string>(`/repos/ada/it${line}`)).body).toBe('# it\n')
  })

  test('a large file is streamed, whole', async () => {
    const { status, headers, body } = await forge.get<string>('/repos/ada/it/raw/huge.bin')
    expect([status, headers.get('content-length'), headers.get('content-type')]).toEqual([200, '3000000', 'application/octet-stream'])
    expect(body === (files['huge.bin'] as Buffer).toString()).toBe(true)
  })

  test('those who ask for large files and do not read them keep nobody else from them, nor leave files behind', async () => {
    const request = () => forge.app.handle(new Request('http://localhost/api/v1/repos/ada/it/raw/huge.bin'))
    const idle: { cancel(): Promise<void> }[] = []
    for (let i = 0; i < 20; i++) {
      const { body } = await request()
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      idle.push(reader)
    }
    expect((await (await request()).bytes()).length).toBe(3_000_000)
    expect(readdirSync(join(path, 'objects')).filter((name) => name.startsWith('tmp_'))).toEqual([])
    for (const reader of idle) await reader.cancel()
  })

  test('who has the bytes already is told so', async () => {
    const etag = (await forge.get('/repos/ada/it/raw/README.md')).headers.get('etag') as string
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, body } = await forge.get<string>('/repos/ada/it/raw/README.md', { headers: { 'If-None-Match': header } })
      expect([status, body]).toEqual([304, ''])
    }
    expect((await forge.get('/repos/ada/it/raw/README.md', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
  })

  test('a range of a file is answered with just that, of a small one and of a large one', async () => {
    for (const name of ['large.txt', 'huge.bin']) {
      const whole = files[name]?.toString() as string
      const tag = (await forge.get(`/repos/ada/it/raw/${name}`, { headers: { 'If-None-Match': 'x' } })).headers.get('etag') as string
      const { status, headers, body } = await forge.get<string>(`/repos/ada/it/raw/${name}`, { headers: { Range: 'bytes=1000-1999' } })
      expect([status, headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${whole.length}`])
      expect(body === whole.slice(1000, 2000)).toBe(true)
      expect((await forge.get<string>(`/repos/ada/it/raw/${name}`, { headers: { Range: 'bytes=-5', 'If-Range': tag } })).body).toBe(whole.slice(-5))
      expect((await forge.get(`/repos/ada/it/raw/${name}`, { headers: { Range: 'bytes=-5', 'If-Range': '"other"' } })).status).toBe(200)
      expect((await forge.get(`/repos/ada/it/raw/${name}`, { headers: { Range: `bytes=${whole.length}-` } })).status).toBe(416)
    }
  })

  test('a file tells its date and its name, for those who ask by date and save it', async () => {
    const { headers } = await forge.get('/repos/ada/it/raw/program.exe')
    const modified = headers.get('last-modified') as string
    expect(Date.parse(modified)).toBeGreaterThan(0)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="program.exe"; filename*=UTF-8''program.exe`)
    expect((await forge.get('/repos/ada/it/raw/program.exe', { headers: { 'If-Modified-Since': modified } })).status).toBe(304)
    expect((await forge.get('/repos/ada/it/raw/program.exe', { headers: { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' } })).status).toBe(200)
  })

  test('a symbolic link is its target as text and is not followed', async () => {
    const { headers, body } = await forge.get<string>('/repos/ada/it/raw/link')
    expect([headers.get('x-gitea-object-type'), body]).toEqual(['symlink', '../../etc/passwd'])
  })

  test.each([
    '/raw/absent',
    '/raw/dir',
    '/raw/libs/one',
    '/raw/',
    '/raw/%2e%2e%2f%2e%2e%2fHEAD',
    '/raw/README.md?ref=--output=x',
    '/raw/link/passwd',
    '/raw/README.md?ref=absent',
    '/media/dir',
  ])('%s is 404', async (line) => {
    expect((await forge.get(`/repos/ada/it${line}`)).status).toBe(404)
  })
})

test('a line of .gitmodules takes time by its length, not by the square of it', () => {
  const costOf = (length: number): number => {
    const spent = cpuMeter()
    for (let round = 0; round < 5; round++) parseGitmodules(Buffer.from(`[submodule "a"]\n\tpath = a${' '.repeat(length)}b\n`))
    return spent()
  }
  costOf(4096)
  expect(costOf(65_536)).toBeLessThan(Math.max(500, 64 * costOf(4096)))
})

test('.gitmodules are read as git reads them, and odd ones name nothing', () => {
  const text = '[submodule "a"]\n  path = "x y"\r\n  URL = ../a.git\n[submodule "b"]\n  url = b\n[core]\n path = z\n[submodule "c"]\n\turl=c\n\tpath=p'
  expect([...parseGitmodules(Buffer.from(text))]).toEqual([
    ['x y', '../a.git'],
    ['p', 'c'],
  ])
  expect(parseGitmodules(Buffer.from('\0\0[[[path=\nurl')).size).toBe(0)
})

describe('GET …/contents-ext', () => {
  interface Extended {
    file_contents?: Contents
    dir_contents?: Contents[]
  }
  const extended = async (line: string) => (await forge.get<Extended>(`/repos/ada/it/contents-ext${line}`)).body

  test('a file comes with nothing more than is asked for', async () => {
    const { file_contents: plain } = await extended('/README.md')
    expect(plain).toMatchObject({ name: 'README.md', content: null, encoding: null })
    expect(plain).not.toHaveProperty('last_commit_sha')
    const { file_contents: whole } = await extended('/README.md?includes=file_content,commit_metadata')
    expect([textIn(whole as Contents), whole?.last_commit_sha]).toEqual(['# it\n\nchanged\n', lastCommit('README.md')])
    expect(whole).not.toHaveProperty('last_commit_message')
    expect((await extended('/README.md?includes=commit_message&ref=v1')).file_contents).toMatchObject({ last_commit_message: 'first\n' })
    expect((await extended('/media.psd?includes=lfs_metadata')).file_contents).toMatchObject({ lfs_size: 12345, content: null })
    expect((await extended('/link')).file_contents).toMatchObject({ type: 'symlink', target: '../../etc/passwd' })
  })

  test.each(['/', '/.', '', '/%2F'])('%s is the root', async (line) => {
    expect((await extended(line)).dir_contents?.map(({ name }) => name)).toContain('README.md')
  })

  test('of a directory of very many entries none is missing, in the order of the tree', async () => {
    const names = Array.from({ length: 1234 }, (_, i) => `file-${String(i).padStart(4, '0')}`)
    const { body } = await forge.asUser('ada').post<{ id: number }>('/user/repos', { name: 'wide' })
    fillRepo(forge, body.id, (directory) => {
      mkdirSync(join(directory, 'dir'))
      for (const name of names) writeFileSync(join(directory, 'dir', name), name)
      gitIn(directory, 'add', '-A')
      gitIn(directory, 'commit', '-qm', 'Wide')
    })
    const list = await forge.get<Contents[]>('/repos/ada/wide/contents/dir')
    const inside = await forge.get<Extended>('/repos/ada/wide/contents-ext/dir?includes=commit_metadata')
    expect([list.body.map(({ name }) => name), inside.body.dir_contents?.map(({ name }) => name)]).toEqual([names, names])
    expect(new Set([...list.body, ...(inside.body.dir_contents ?? [])].map((one) => one.last_commit_sha)).size).toBe(1)
  })

  test('what cannot be included is 400, what is not there 404', async () => {
    expect(await forge.get<Contents>('/repos/ada/it/contents-ext/README.md?includes=constructor')).toMatchObject({
      status: 400,
      body: { message: 'unknown include option "constructor"' },
    })
    for (const line of ['/absent', '/README.md?ref=absent']) expect((await forge.get(`/repos/ada/it/contents-ext${line}`)).status).toBe(404)
  })
})

describe('…/file-contents', () => {
  const asked = ['dir/inner/deep.txt', 'absent', 'README.md', 'dir', '../x', 'link']
  const bodyOf = (body: unknown) => encodeURIComponent(JSON.stringify(body))

  test('files come in the order asked for, null for what is none', async () => {
    const { status, body } = await forge.get<(Contents | null)[]>(`/repos/ada/it/file-contents?body=${bodyOf({ files: asked })}`)
    expect([status, body.map((file) => file?.path ?? null)]).toEqual([200, ['dir/inner/deep.txt', null, 'README.md', 'dir', null, 'link']])
    expect(body[3]).toMatchObject({ type: 'dir', sha: gitIn(path, 'rev-parse', 'main:dir').trim(), size: 0, content: null, encoding: null })
    expect(textIn(body[2] as Contents)).toBe('# it\n\nchanged\n')
    const posted = await forge.post<(Contents | null)[]>('/repos/ada/it/file-contents', { files: asked })
    expect([posted.status, posted.body]).toEqual([200, body])
    const older = await forge.post<(Contents | null)[]>('/repos/ada/it/file-contents?ref=v1', { files: ['README.md'] })
    expect(textIn(older.body[0] as Contents)).toBe('# it\n')
  })

  test('no more than a page of them', async () => {
    const { body } = await forge.post<unknown[]>('/repos/ada/it/file-contents', { files: Array(200).fill('README.md') })
    expect(body).toHaveLength(forge.context.config.api.DEFAULT_PAGING_NUM)
  })

  test.each([
    ['body={', 400],
    [`body=${bodyOf({ files: [1] })}`, 400],
    [`body=${bodyOf({ files: 'x' })}`, 400],
    [`ref=absent&body=${bodyOf({ files: [] })}`, 404],
  ])('?%s is %i', async (query, status) => {
    expect((await forge.get(`/repos/ada/it/file-contents?${query}`)).status).toBe(status)
  })
})
