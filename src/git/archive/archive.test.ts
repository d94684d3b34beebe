import { afterAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { outcome } from '../../../test/outcome.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { checkpointOf } from '../checkpoint.ts'
import { defaultLimits, type GitLimits } from '../limits.ts'
import { hashObject, type Oid, SHA1 } from '../objects/oid.ts'
import { encodeTree, FILE_MODE, TREE_MODE } from '../objects/tree.ts'
import { unfoldingTree } from '../objects/unfolding-tree.fixture.ts'
import type { ByteSink } from './byte-sink.ts'
import { type ArchiveOptions, archiveFormats, archiveTag } from './options.ts'
import { SampleTrees } from './sample-tree.fixture.ts'
import { writeArchive } from './write-archive.ts'

const trees = new SampleTrees()
const work = mkdtempSync(join(tmpdir(), 'pf-unpacked-'))
afterAll(() => {
  trees[Symbol.dispose]()
  rmSync(work, { recursive: true, force: true })
})

async function ours(oid: Oid, options: ArchiveOptions, limits: GitLimits = defaultLimits): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const sink: ByteSink = { write: (bytes) => void pieces.push(bytes), end: () => {} }
  await writeArchive(trees.store, oid, options, { limits, checkpoint: checkpointOf() }, sink)
  return Buffer.concat(pieces)
}

/** Judged by Info-ZIP, where it is installed. */
const zipTest = (name: string, body: () => Promise<void>) => test.skipIf(Bun.which('zipinfo') === null)(name, body, PATIENCE)

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8' } })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${stderr}`)
  return stdout.toString()
}

const deep = `${'directory-with-a-long-name/'.repeat(6)}file`
const large = randomBytes(8_500_000)

const sample = {
  '.gitattributes': [
    '*.skip export-ignore',
    'hidden export-ignore',
    'gone/** export-ignore',
    'subst* export-subst',
    '*.crlf text eol=crlf',
    '*.auto text=auto eol=crlf',
    '*.id ident',
    '*.bin binary',
    'sub/module2 export-ignore',
    '*.u16 working-tree-encoding=UTF-16LE-BOM',
  ].join('\n'),
  'a.txt': 'a\n',
  'an empty file': '',
  'run.sh': { mode: '100755', data: '#!/bin/sh\n' },
  link: { mode: '120000', data: 'a.txt' },
  'long link': { mode: '120000', data: `${'very/'.repeat(60)}far` },
  'ünï/cödé.txt': 'é\n',
  [deep]: 'deep\n',
  [`${'x'.repeat(120)}`]: 'long name\n',
  [`${'y'.repeat(90)}/${'z'.repeat(90)}/${'v'.repeat(120)}.txt`]: 'too long for ustar\n',
  'sub/module': { mode: '160000', data: '1'.repeat(40) },
  'sub/module2': { mode: '160000', data: '1'.repeat(40) },
  'one.skip': 'no\n',
  'hidden/secret': 'no\n',
  'gone/a': 'no\n',
  'gone/b/c': 'no\n',
  'kept/.gitattributes': 'one.skip -export-ignore\n',
  'kept/one.skip': 'yes\n',
  'kept/two.skip': 'no\n',
  'only.skips/a.skip': 'no\n',
  'subst.txt':
    '$Format:%H %h %T %t%n%an <%ae> %al %at|%ad|%aD|%ai|%aI|%as|%cn %ct %ci$\nprice: $5\n$Format:%s|%f$\n$Format:%b$$Format:%B$$Format:%%x41 %x41%+e%-e|%+s|% s|%q %$ $Format:%P %p$ $Format:never ends',
  'text.crlf': 'one\ntwo\r\nthree',
  'text.auto': 'one\ntwo\n',
  'cr.auto': 'one\r\ntwo\n',
  'bin.auto': 'one\n\0two\n',
  'rev.id': '$Id$ $Id: $ $Id:x$ $Id: old words here $ $Id: 123 $ $Idx$ $Id:\n$Id$',
  'pic.bin': 'GIF\0\n',
  nul: 'x\0y',
  'wide.u16': 'wörld\n',
} as const
const sampleCommit = await trees.commit(sample)

test('a tar archive is byte for byte what git archive writes', async () => {
  const oid = sampleCommit
  expect(Buffer.compare(await ours(oid, { format: 'tar' }), await trees.archive('--format=tar', oid))).toBe(0)
  for (const prefix of ['engine-1/', 'a/b//', 'pre', 'ü/']) {
    expect(Buffer.compare(await ours(oid, { format: 'tar', prefix }), await trees.archive('--format=tar', `--prefix=${prefix}`, oid))).toBe(0)
  }
})

const pathLists = [['a.txt'], ['sub'], ['kept', 'ünï/cödé.txt'], ['kept/one.skip', 'gone'], [deep], ['sub/module', 'link'], ['only.skips'], ['kept/']]
for (const paths of pathLists) {
  test(`only ${paths.map((path) => path.slice(0, 30)).join(', ')}: as git archive has it`, async () => {
    const oid = sampleCommit
    expect(Buffer.compare(await ours(oid, { format: 'tar', paths }), await trees.archive('--format=tar', oid, '--', ...paths))).toBe(0)
  })
}

zipTest('zip archives list and unpack as those of git archive', async () => {
  const oid = sampleCommit
  const [mine, theirs] = [join(work, 'mine.zip'), join(work, 'theirs.zip')]
  writeFileSync(mine, await ours(oid, { format: 'zip', prefix: 'e/' }))
  writeFileSync(theirs, await trees.archive('--format=zip', '--prefix=e/', oid))
  // All but the compressed length, which is the deflater's affair.
  const listed = (file: string) =>
    run('zipinfo', '-lz', file)
      .split('\n')
      .slice(2)
      .map((line) => line.trim().split(/\s+/).toSpliced(5, 1).join(' '))
      .filter((line) => !line.includes('compressed:') && !line.startsWith('Zip file size') && !line.includes('bytes uncompressed'))
  expect(listed(mine)).toEqual(listed(theirs))
  expect(run('unzip', '-tq', mine)).toContain('No errors')
  for (const [file, into] of [
    [mine, 'z1'],
    [theirs, 'z2'],
  ] as const)
    run('unzip', '-q', file, '-d', join(work, into))
  expect(run('diff', '-r', '--no-dereference', join(work, 'z1'), join(work, 'z2'))).toBe('')
})

test('tar.gz and tar.zst hold the tar archive, and each format the same bytes every time', async () => {
  const oid = sampleCommit
  const tar = await ours(oid, { format: 'tar', prefix: 'p/' })
  expect(Buffer.compare(gunzipSync(await ours(oid, { format: 'tar.gz', prefix: 'p/' })), tar)).toBe(0)
  expect(Buffer.compare(zstdDecompressSync(await ours(oid, { format: 'tar.zst', prefix: 'p/' })), tar)).toBe(0)
  for (const format of archiveFormats) expect(Buffer.compare(await ours(oid, { format }), await ours(oid, { format }))).toBe(0)
})

zipTest('large files go through whole, whether they compress or not', async () => {
  const files = { 'noise.dat': large, 'zeros.dat': Buffer.alloc(9_000_000), 'z.txt': 'after\n' }
  const oid = await trees.commit(files)
  expect(Buffer.compare(await ours(oid, { format: 'tar' }), await trees.archive('--format=tar', oid))).toBe(0)
  writeFileSync(join(work, 'large.zip'), await ours(oid, { format: 'zip' }))
  mkdirSync(join(work, 'large'))
  run('unzip', '-q', join(work, 'large.zip'), '-d', join(work, 'large'))
  for (const [name, data] of Object.entries(files))
    expect(Buffer.compare(await Bun.file(join(work, 'large', name)).bytes(), Buffer.from(data as string))).toBe(0)
})

zipTest('more than 65,535 files make a zip archive that others read', async () => {
  await trees.commit({ x: 'x' })
  const oid = hashObject(SHA1, 'blob', Buffer.from('x'))
  const thousand = trees.store.write('tree', encodeTree(Array.from({ length: 1000 }, (_, i) => ({ mode: FILE_MODE, name: `f${i}`, oid }))))
  const many = trees.store.write('tree', encodeTree(Array.from({ length: 66 }, (_, i) => ({ mode: TREE_MODE, name: `d${i}`, oid: thousand }))))
  writeFileSync(join(work, 'many.zip'), await ours(many, { format: 'zip' }))
  expect(
    run('python3', '-c', `import zipfile; z=zipfile.ZipFile(${JSON.stringify(join(work, 'many.zip'))}); print(len(z.namelist()), z.read('d65/f999'))`),
  ).toBe("66066 b'x'\n")
})

test('tags are followed to what they name; a bare tree has no commit to tell of', async () => {
  const commit = await trees.commit({ 'a.txt': 'a\n', s: '$Format:%H$', '.gitattributes': 's export-subst' })
  run('git', '-C', trees.gitDir, '-c', 'user.name=a', '-c', 'user.email=a@b', 'tag', '-f', '-a', '-m', 'm', 'v1', commit)
  trees.store.refresh()
  const tag = run('git', '-C', trees.gitDir, 'rev-parse', 'v1').trim() as Oid
  expect(Buffer.compare(await ours(tag, { format: 'tar' }), await ours(commit, { format: 'tar' }))).toBe(0)
  const tree = run('git', '-C', trees.gitDir, 'rev-parse', `${commit}^{tree}`).trim() as Oid
  const bare = (await ours(tree, { format: 'tar' })).toString('latin1')
  expect([bare.includes('pax_global_header'), bare.includes('$Format:%H$')]).toEqual([false, true])
  expect((await ours(SHA1.emptyTree, { format: 'tar' })).length).toBe(10_240)
})

test('the tag of an archive changes with what makes its bytes', () => {
  const oid = '1'.repeat(40) as Oid
  const tags = [
    archiveTag(oid, { format: 'zip' }),
    archiveTag(oid, { format: 'tar' }),
    archiveTag('2'.repeat(40) as Oid, { format: 'zip' }),
    archiveTag(oid, { format: 'zip', prefix: 'a/' }),
    archiveTag(oid, { format: 'zip', paths: ['a/'] }),
    archiveTag(oid, { format: 'zip', tag: 'v1' }),
    archiveTag(oid, { format: 'zip', tag: 'v2' }),
    archiveTag(oid, { format: 'zip', paths: [] }),
  ]
  expect(new Set(tags).size).toBe(tags.length)
  expect(archiveTag(oid, { format: 'zip', prefix: '' })).toBe(tags[0] as string)
})

test.each(['/etc/', '../up/', 'a/../../b/', './x', 'a\\b/', 'a\nb/', 'x'.repeat(2000)])('a prefix like "%s" is refused', async (prefix) => {
  expect(await outcome(ours(SHA1.emptyTree, { format: 'tar', prefix }))).toThrow('is not a relative path')
})

test('what is not there cannot be archived', async () => {
  const oid = await trees.commit({ a: 'a' })
  expect(await outcome(ours(oid, { format: 'tar', paths: ['b'] }))).toThrow('the path "b" does not exist')
  expect(await outcome(ours('3'.repeat(40) as Oid, { format: 'tar' }))).toThrow('Cannot find')
  const hollow = trees.store.write('tree', encodeTree([{ mode: FILE_MODE, name: 'a', oid: '4'.repeat(40) as Oid }]))
  expect(await outcome(ours(hollow, { format: 'zip' }))).toThrow('Cannot find object 4444')
})

test.each(archiveFormats)('%s: a dozen trees that unfold into too many files are refused before a byte, and what is small of them is given', async (format) => {
  const tree = unfoldingTree(trees.store, 11, Buffer.alloc(0))
  let written = 0
  const sink: ByteSink = { write: (bytes) => void (written += bytes.length), end: () => {} }
  const context = { limits: defaultLimits, checkpoint: checkpointOf() }
  for (const paths of [undefined, ['d0'], ['d0/', 'd1/d1']])
    expect(await outcome(writeArchive(trees.store, tree, { format, paths }, context, sink))).toThrow('there are more than 2000000 files')
  expect(written).toBe(0)
  const small = [`${'d0/'.repeat(9)}d0`, 'd1/'.repeat(10)]
  await writeArchive(trees.store, tree, { format, paths: small }, context, sink)
  expect(written).toBeGreaterThan(0)
})

test('files that unfold into too many bytes come to a limit, not to an end of memory or disk', async () => {
  const tree = unfoldingTree(trees.store, 6, Buffer.alloc(100_000))
  expect(await outcome(ours(tree, { format: 'tar' }, { ...defaultLimits, maxInflatedBytes: 50_000_000 }))).toThrow('the files have more than 50000000 bytes')
})

test('placeholders that would multiply stop at a limit', async () => {
  const oid = await trees.commit({ '.gitattributes': '* export-subst', f: `$Format:${'%B'.repeat(2000)}$`.repeat(200) })
  expect((await ours(oid, { format: 'tar' })).length).toBeLessThan(3_000_000)
})

test('names that lead out of the directory are refused', async () => {
  const blob = trees.store.write('blob', Buffer.from('x'))
  const evil = trees.store.write('tree', Buffer.concat([Buffer.from('100644 ..\0'), Buffer.from(blob, 'hex')]))
  expect(await outcome(ours(evil, { format: 'tar' }))).toThrow('a file is named ".."')
})

test('a reader who goes away ends the work', async () => {
  const oid = await trees.commit({ 'noise.dat': large })
  let taken = 0
  const gone: ByteSink = {
    write(bytes) {
      taken += bytes.length
      if (taken > 1_000_000) throw new Error('gone')
    },
    end() {},
  }
  for (const format of archiveFormats) {
    taken = 0
    expect(await outcome(writeArchive(trees.store, oid, { format }, { limits: defaultLimits, checkpoint: checkpointOf() }, gone))).toThrow('gone')
  }
})
