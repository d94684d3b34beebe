import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { defaultLimits } from '../limits.ts'
import { unfoldingTree } from '../objects/unfolding-tree.fixture.ts'
import type { UploadContext } from './context.ts'
import { Collected, contextOf, GitServer, git } from './git-server.fixture.ts'
import { encodePkt } from './pkt-line.ts'
import { makeSample } from './sample-repository.fixture.ts'
import { listRefsV2, uploadPackV2 } from './upload-pack.ts'
import { uploadPackV0 } from './upload-pack-v0.ts'

const server = new GitServer()
let context: UploadContext
let tip = ''
let tree = ''

beforeAll(async () => {
  const dir = await makeSample(server, 'sample')
  tip = await git(dir, 'rev-parse', 'main')
  tree = await git(dir, 'rev-parse', 'main^{tree}')
  context = { ...(await contextOf(dir)), limits: { ...defaultLimits, maxCommands: 50 } }
})

afterAll(async () => {
  context.store.close()
  await server[Symbol.asyncDispose]()
})

const oid = 'ab'.repeat(20)

function v2(command: string, ...args: string[]): string {
  return `${pkts(`command=${command}`, 'agent=git/2.50.0', 'server-option=x', 'session-id=1', 'object-format=sha1')}0001${pkts(...args)}0000`
}

function pkts(...lines: string[]): string {
  return lines.map((line) => encodePkt(`${line}\n`).toString()).join('')
}

/** In pieces, as a network gives them. */
async function* streamOf(request: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < request.length; at += 1000) yield Buffer.from(request.slice(at, at + 1000))
}

async function answerTo(serve: typeof uploadPackV2, request: string, stateless = true): Promise<string> {
  const sink = new Collected()
  await serve(streamOf(request), context, sink, { stateless })
  return sink.bytes.toString('latin1')
}

describe('version 2 answers with an error', () => {
  test.each<[string, () => string, string]>([
    ['a command that is none', () => v2('push'), "invalid command 'push'"],
    ['no command', () => `${pkts('agent=x')}0000`, 'no command requested'],
    ['another hash', () => `${pkts('command=ls-refs', 'object-format=sha256')}0000`, 'mismatched object format'],
    ['a malformed length', () => 'zzzz', 'is not a length'],
    ['a packet cut off', () => '0032want', 'ends inside a packet'],
    ['a request cut off', () => pkts('command=fetch'), 'ends before its flush'],
    ['arguments in two parts', () => `${pkts('command=ls-refs')}0001${pkts('peel')}0001`, 'expected flush'],
    ['an object that is not there', () => v2('fetch', `want ${oid}`, 'done'), `not our ref ${oid}`],
    ['a ref that is not there', () => v2('fetch', 'want-ref refs/heads/none', 'done'), 'unknown ref refs/heads/none'],
    ['a size of an object that is not there', () => v2('object-info', 'size', `oid ${oid}`), `not our ref ${oid}`],
    ['an excluded ref that is not there', () => v2('fetch', `want ${tip}`, 'deepen-not none', 'done'), 'deepen-not "none" is not a ref'],
    ['bounds that leave nothing', () => v2('fetch', `want ${tip}`, 'deepen-since 9999999999', 'done'), 'no commits selected'],
    ['a filter that is not served', () => v2('fetch', `want ${tip}`, 'filter sparse:oid=x', 'done'), 'does not support it'],
    ['too many haves', () => v2('fetch', `want ${tip}`, ...Array.from({ length: 60 }, () => `have ${oid}`)), 'more than 50'],
    ['lines without end', () => v2('ls-refs', ...Array.from({ length: 500 }, () => 'peel')), 'more than 306 lines'],
    ['lines of great length', () => v2('ls-refs', ...Array.from({ length: 9 }, () => `ref-prefix ${'x'.repeat(60_000)}`)), 'more than 306 lines'],
    ['a shallow object that is no commit', () => v2('fetch', `want ${tip}`, `shallow ${tree}`, 'done'), 'is not a commit'],
  ])('to %s', async (_, request, text) => {
    const answer = await answerTo(uploadPackV2, request())
    expect(answer).toContain('ERR ')
    expect(answer).toContain(text)
  })
})

test.each([['another one'], ['one whose name comes twice']])('where only refs are listed, %s is no command', async (which) => {
  const lines = which === 'another one' ? ['command=fetch'] : ['command=ls-refs', 'command=fetch']
  const sink = new Collected()
  await listRefsV2(streamOf(`${pkts(...lines)}0001${pkts(`want ${tip}`, 'done')}0000`), context, sink)
  expect(sink.bytes.toString('latin1')).toEndWith('ERR expected no other command than ls-refs')
})

describe('the old protocol answers with an error', () => {
  test.each([
    ['a line that does not belong', `${pkts(`want ${oid}`, 'hello')}0000`, 'unexpected line "hello"'],
    ['an object that is not there', `${pkts(`want ${oid}`)}0000${pkts('done')}`, `not our ref ${oid}`],
    ['a have that is none', `WANT0000${pkts('have x')}`, 'Cannot parse object id'],
    ['something that is no have', `WANT0000${pkts('nonsense')}`, "expected SHA1 list, got 'nonsense'"],
    ['haves without end', `WANT0000${pkts(...Array.from({ length: 60 }, () => `have ${oid}`))}`, 'more than 50 haves'],
  ])('to %s', async (_, request, text) => {
    expect(await answerTo(uploadPackV0, request.replace('WANT', pkts(`want ${tip}`)))).toContain(text)
  })

  test('to nothing at all, nothing', async () => {
    expect(await answerTo(uploadPackV0, '')).toBe('')
    expect(await answerTo(uploadPackV0, '0000')).toBe('')
    expect(await answerTo(uploadPackV2, '')).toBe('')
    expect(await answerTo(uploadPackV2, '0000')).toBe('')
  })
})

test('sizes of objects are told, several commands in one stream', async () => {
  const answer = await answerTo(uploadPackV2, v2('object-info', 'size', `oid ${tip}`) + v2('ls-refs', 'symrefs', 'ref-prefix HEAD'), false)
  const size = await git(server.path('sample.git'), 'cat-file', '-s', tip)
  expect(answer).toBe(`${encodePkt('size')}${encodePkt(`${tip} ${size}`)}0000${pkts(`${tip} HEAD symref-target:refs/heads/main`)}0000`)
})

test('of a stateless connection only the first command is answered', async () => {
  const once = v2('ls-refs', 'ref-prefix HEAD')
  expect(await answerTo(uploadPackV2, once.repeat(1000))).toBe(`${pkts(`${tip} HEAD`)}0000`)
})

test('a tree of trees that would unfold to ten billion files is sent in no time', async () => {
  const dir = server.path('bomb.git')
  await git(server.root, 'init', '-q', '--bare', dir)
  const bomb = await contextOf(dir)
  const tree = unfoldingTree(bomb.store, 10, Buffer.from('boom\n'))
  const who = 'Ada <ada@example.org> 1704067200 +0000'
  const commit = bomb.store.write('commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nbomb\n`))
  await git(dir, 'update-ref', 'refs/heads/main', commit)
  bomb.store.close()
  await git(server.root, 'clone', '-q', '--bare', server.url('bomb.git'), 'bomb-clone')
  expect(await git(server.path('bomb-clone'), 'rev-list', '--objects', '--all', '--count')).toBe('12')
})

test('directories deeper than any listing goes are given out again: whole, shallow, by a filter, and after the store holds more than refs reach', async () => {
  const dir = server.path('deep.git')
  await git(server.root, 'init', '-q', '--bare', dir)
  const levels = defaultLimits.maxTreeDepth + 200
  const path = `${'d/'.repeat(levels - 1)}f`
  const input = `commit refs/heads/main\ncommitter Ada <ada@example.org> 1704067200 +0000\ndata 4\ndeep\nM 100644 inline ${path}\ndata 0\n\n`
  const child = Bun.spawn(['git', 'fast-import', '--quiet'], { cwd: dir, stdin: Buffer.from(input) })
  expect(await child.exited).toBe(0)
  const options = { whole: [], shallow: ['--depth=1'], filtered: [`--filter=tree:${levels + 9}`] }
  for (const [name, args] of Object.entries(options)) {
    const target = server.path(`deep-${name}`)
    await git(server.root, 'clone', '-q', '--bare', ...args, server.url('deep.git'), target)
    expect(await git(target, 'rev-list', '--objects', '--all', '--count')).toBe(`${levels + 2}`)
  }
})

test('an aborted fetch stops and says nothing more', async () => {
  const controller = new AbortController()
  controller.abort(new Error('gone'))
  const sink = new Collected()
  await uploadPackV2(streamOf(v2('fetch', `want ${tip}`, 'done')), { ...context, signal: controller.signal }, sink, { stateless: true }).catch((error: Error) =>
    expect(error.message).toBe('gone'),
  )
  expect(sink.bytes.toString('latin1')).not.toContain('ERR')
})

test.each<[string, () => string]>([
  ['haves', () => v2('fetch', 'wait-for-done', ...Array<string>(40_000).fill(`have ${tip}`))],
  ['objects whose size is asked for', () => v2('object-info', 'size', ...Array<string>(40_000).fill(`oid ${tip}`))],
])('who names very many %s does not have others wait for the last of them', async (_, request) => {
  const ended: string[] = []
  const large = { ...context, limits: defaultLimits }
  const many = uploadPackV2(streamOf(request()), large, new Collected(), { stateless: true }).then(() => ended.push('many'))
  const one = new Promise(setImmediate)
    .then(() => uploadPackV2(streamOf(v2('ls-refs')), context, new Collected(), { stateless: true }))
    .then(() => ended.push('one'))
  await Promise.all([many, one])
  expect(ended).toEqual(['one', 'many'])
})
