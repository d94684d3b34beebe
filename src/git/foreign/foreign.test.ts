import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcome } from '../../../test/outcome.ts'
import { defaultLimits } from '../limits.ts'
import { ForeignDirectory } from './foreign-directory.ts'
import { importRepository } from './import-repository.ts'
import { parsePackedRefs, readForeignRefs } from './read-refs.ts'
import { surveyObjects } from './survey-objects.ts'

const one = '1'.repeat(40)
const two = '2'.repeat(40)
const scratch = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(scratch, { recursive: true }))

type Files = Record<string, string | Uint8Array>

let made = 0
/** A directory with these files; a text that begins with `-> ` is a symbolic link. */
function directory(files: Files): ForeignDirectory {
  const path = join(scratch, String(++made))
  for (const [name, text] of Object.entries({ 'objects/x': '', 'refs/.x': '', ...files })) {
    const file = join(path, name)
    mkdirSync(join(file, '..'), { recursive: true })
    if (typeof text === 'string' && text.startsWith('-> ')) symlinkSync(text.slice(3), file)
    else writeFileSync(file, text)
  }
  return new ForeignDirectory(path)
}

const read = (files: Files, maxCommands = 10) => readForeignRefs(directory(files), { ...defaultLimits, maxCommands }, () => undefined)

describe('refs', () => {
  const good: [claim: string, files: Record<string, string>, headBranch: string | undefined, refs: Record<string, string>][] = [
    ['none at all', { HEAD: 'ref: refs/heads/main\n' }, undefined, {}],
    [
      'a loose one goes before a packed one',
      {
        HEAD: 'ref: refs/heads/main\n',
        'refs/heads/main': `${two}\n`,
        'packed-refs': `# pack-refs with: peeled\n${one} refs/heads/main\n${one} refs/tags/v1\n^${two}\n`,
      },
      'main',
      { 'refs/heads/main': two, 'refs/tags/v1': one },
    ],
    ['a detached HEAD, which names no branch', { HEAD: `${one}\n`, 'refs/heads/a/b': `${one}\n` }, undefined, { 'refs/heads/a/b': one }],
    [
      'symbolic ones, and some that lead nowhere',
      {
        HEAD: 'ref: refs/heads/main\n',
        'refs/heads/main': one,
        'refs/heads/s': 'ref: refs/heads/main\n',
        'refs/heads/t': 'ref: refs/heads/t\n',
        'refs/u': 'ref: refs/v',
      },
      'main',
      { 'refs/heads/main': one, 'refs/heads/s': one },
    ],
    ['what git passes over', { HEAD: `ref: refs/heads/main`, 'refs/heads/main.lock': '', 'refs/heads/.DS_Store': 'x' }, undefined, {}],
  ]
  test.each(good)('%s', async (_claim, files, headBranch, refs) => {
    const found = await read(files)
    expect({ headBranch: found.headBranch, refs: Object.fromEntries(found.refs) as Record<string, string> }).toEqual({ headBranch, refs })
  })

  const head = { HEAD: 'ref: refs/heads/main\n' }
  const bad: [claim: string, files: Files, complaint: RegExp][] = [
    ['no HEAD', {}, /^it is not a bare git repository/],
    ['a HEAD that is a link', { HEAD: '-> /etc/hostname' }, /^HEAD is not a plain file/],
    ['a HEAD that says nothing', { HEAD: 'x' }, /^HEAD has no valid target/],
    ['a HEAD that is too long', { HEAD: 'x'.repeat(4097) }, /^HEAD is larger than 4096 bytes/],
    ['a folder that is a link', { ...head, 'refs/heads': '-> /etc' }, /^refs\/heads is not a plain file/],
    ['a ref that is a link', { ...head, 'refs/heads/a': '-> /etc/hostname' }, /^refs\/heads\/a is not a plain file/],
    ['an empty ref, as after a crash', { ...head, 'refs/heads/a': '' }, /^refs\/heads\/a has no valid target/],
    ['a ref to the null object', { ...head, 'packed-refs': `${'0'.repeat(40)} refs/heads/a\n` }, /^refs\/heads\/a has no valid target/],
    ['SHA-256', { ...head, 'refs/heads/a': '1'.repeat(64) }, /SHA-256/],
    ['reftable', { ...head, 'reftable/tables.list': '' }, /reftable/],
    ['a name that is not allowed', { ...head, 'packed-refs': `${one} refs/heads/../../x\n` }, /^Cannot use ref name "refs\/heads\/\.\.\/\.\.\/x"/],
    ['a name outside refs/', { ...head, 'packed-refs': `${one} HEAD\n` }, /^Cannot use ref name "HEAD"/],
    ['a name that is not UTF-8', { ...head, 'packed-refs': Buffer.from(`${one} refs/heads/\xff\n`, 'latin1') }, /^packed-refs is not UTF-8/],
    ['too many', { ...head, 'packed-refs': Array.from({ length: 11 }, (_, i) => `${one} refs/heads/${i}\n`).join('') }, /more than 10 refs/],
    ['too many folders', { ...head, ...Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`refs/${i}/.x`, ''])) }, /more than 10 refs/],
  ]
  test.each(bad)('%s', async (_claim, files, complaint) => {
    expect(await outcome(read(files))).toThrow(complaint)
  })
})

test('a packed-refs file is read line by line', () => {
  expect([...parsePackedRefs('')]).toEqual([])
  expect([...parsePackedRefs(`# pack-refs with: peeled fully-peeled sorted \n${one} refs/heads/a b\n`)]).toEqual([['refs/heads/a b', one]])
  expect(() => [...parsePackedRefs(`${one} refs/heads/a`)]).toThrow(/truncated/)
  expect(() => [...parsePackedRefs('nonsense\n')]).toThrow(/an invalid line: "nonsense"/)
})

describe('objects', () => {
  const survey = (files: Record<string, string>, maxPackObjects = 5) => surveyObjects(directory(files), { ...defaultLimits, maxPackObjects }, () => undefined)

  test('packs and loose objects are listed, and nothing else', async () => {
    const found = await survey({
      'objects/pack/pack-1.pack': '',
      'objects/pack/pack-2.idx': '',
      'objects/pack/tmp_pack_x': '',
      'objects/00/1': '',
      'objects/info/x': '-> /',
    })
    expect(found).toEqual({ packs: ['pack-1.pack'], loose: 1 })
  })

  const bad: [claim: string, files: Record<string, string>, complaint: RegExp][] = [
    ['a pack that is a link', { 'objects/pack/pack-1.pack': '-> /dev/zero' }, /^objects\/pack\/pack-1\.pack is not a plain file/],
    ['packs behind a link', { 'objects/pack': '-> /etc' }, /^objects\/pack is not a plain directory/],
    ['a loose object that is a link', { 'objects/00/1': '-> /dev/zero' }, /^objects\/00\/1 is not a plain file/],
    ['loose objects behind a link', { 'objects/00': '-> /etc' }, /^objects\/00 is not a plain directory/],
    ['a directory for a loose object', { 'objects/00/1/2': '' }, /^objects\/00\/1 is not a plain file/],
    ['too many', Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`objects/00/${i}`, ''])), /more than 5 loose objects/],
  ]
  test.each(bad)('%s', async (_claim, files, complaint) => {
    expect(await outcome(survey(files))).toThrow(complaint)
  })
})

test.skipIf(process.getuid?.() === 0)('a file that the system keeps from us is named', async () => {
  const head = { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': one, 'objects/11/1': '' }
  const kept: [file: string, files: Record<string, string>][] = [
    ['HEAD', head],
    ['objects/11', head],
    ['objects/pack/pack-1.pack', { ...head, 'objects/pack/pack-1.pack': '' }],
    [`objects/11/${one.slice(2)}`, { ...head, [`objects/11/${one.slice(2)}`]: '' }],
  ]
  for (const [file, files] of kept) {
    const foreign = directory(files)
    chmodSync(join(foreign.path, file), 0)
    const imported = importRepository(foreign.path, { directory: join(scratch, 'work'), limits: defaultLimits })
    expect(await outcome(imported)).toThrow(`${file} cannot be read: EACCES`)
    chmodSync(join(foreign.path, file), 0o700)
    rmSync(join(scratch, 'work'), { recursive: true, force: true })
  }
})
