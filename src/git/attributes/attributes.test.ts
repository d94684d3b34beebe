import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git, gitIn } from '../../../test/git.ts'
import { randomFrom } from '../history/random-history.fixture.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { encodeTree, FILE_MODE, TREE_MODE } from '../objects/tree.ts'
import { DiskStore } from '../store/disk.ts'
import { MemoryStore } from '../store/memory.ts'
import { attributesOf, TreeAttributes } from './tree-attributes.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-attributes-'))
gitIn(directory, 'init', '-q', '--bare', '.')
const store = DiskStore.open(directory)
afterAll(() => {
  store.close()
  rmSync(directory, { recursive: true, force: true })
})

type Files = Record<string, string | Uint8Array>

/** A commit's tree of these `.gitattributes`, by directory. */
async function treeOf(files: Files): Promise<Oid> {
  const parts: (string | Uint8Array)[] = ['commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 0\ndeleteall\n']
  for (const [path, text] of Object.entries(files)) {
    const data = Buffer.from(text as string)
    parts.push(`M 100644 inline "${path}"\ndata ${data.length}\n`, data, '\n')
  }
  await git(['fast-import', '--quiet', '--force'], { cwd: directory, input: Buffer.concat(parts.map((part) => Buffer.from(part as string))) })
  store.refresh()
  return gitIn(directory, 'rev-parse', 'main^{tree}').trim() as Oid
}

const names = ['text', 'diff', 'merge', 'export-ignore', 'eol', 'a', 'm1', 'binary'] as const

/** Lines `path: attribute: value`, as git says it and as we do. */
async function compare(files: Files, paths: string[]): Promise<void> {
  const tree = await treeOf(files)
  await git(['read-tree', tree], { cwd: directory })
  const answer = await git(['check-attr', '--cached', '--stdin', '-z', ...names], { cwd: directory, input: paths.map((path) => `${path}\0`).join('') })
  const fields = answer.split('\0')
  const expected = Array.from({ length: (fields.length - 1) / 3 }, (_, i) => fields.slice(i * 3, i * 3 + 3).join(': '))
  const question = new TreeAttributes(store, tree).question(names)
  const ours = paths.flatMap((path) => {
    const values = question.ask(path)
    return names.map((name) => `${path}: ${name}: ${spoken(values[name])}`)
  })
  expect(ours).toEqual(expected)
}

function spoken(value: string | boolean | undefined): string {
  if (value === undefined) return 'unspecified'
  return typeof value === 'string' ? value : value ? 'set' : 'unset'
}

const paths = [
  ...['a', 'b.txt', 'd/', 'd/a', 'd/b.txt', 'd/e/', 'd/e/a', 'd/e/f/b.txt', 'x/d/a', 'd/de.c', '-', '[', 'a b', 'ä', 'd/ü.txt', '!x', 'a]', 'd/e/f/g/h', '#x'],
  ...['aa', 'ab', 'a/b', 'a/b/c', 'b/a/c', 'c', 'abc/', 'ab/c/d.txt', 'a.b-c', 'Z9', 'd/x y', '\\', 'a*b', 'absent/deep/path.txt'],
]

const cases: Record<string, Files> = {
  'set, unset, valued, unspecified': { '.gitattributes': '* text -diff eol=lf\nb.txt !text\nd/a -text merge=ours\n' },
  'the last line that matches counts': { '.gitattributes': '*.txt a=1\nb.* a=2\n*.txt a=3 merge\n' },
  'the nearest directory counts': {
    '.gitattributes': 'd/a a=root\na a=any',
    'd/.gitattributes': 'a a=near\n',
    'd/e/.gitattributes': '/a a=nearest\nf/b.txt a=below\nf/ a=f',
  },
  macros: { '.gitattributes': '[attr]m1 m2 a=deep\n[attr]m2 -text binary\na m1\nb.txt -m1\n* binary\nd/a !binary\nd/e/a -binary text\n' },
  'macros of macros that come later, and again': { '.gitattributes': '[attr]m1 a=1\n[attr]m1 a=2 merge=x\n* m1\n[attr]binary a=b\nab binary\n' },
  'macros below the root count for nothing': { '.gitattributes': '* a\n', 'd/.gitattributes': '[attr]m1 a=inner\n* m1\n' },
  'comments, blanks and bad lines': {
    '.gitattributes': '# x\n\n  \t\r\n  a text\r\n#x a\nb.txt text -=x\nb.txt --a\nc a%\n!x a\n\\!x a=kept\n[attr] text\n[attr]-x text\nab a text=\n',
  },
  'a pattern alone': { '.gitattributes': 'a\nca\nd/\n[attr]m1\n[attr]m1a\nb.txt m1\n"ab"\n"ab"a\naatext' },
  'quoted patterns': {
    '.gitattributes': '"a b" a\n"d/\\303\\274.txt" a=u\n"\\141b" text\n"open a\n"bad\\q" a\n"a"text merge\n"x\\000y" a\n"[attr]m1 rest" a=quoted\nc m1\n',
  },
  directories: { '.gitattributes': 'd/ a\ne/ a=e\nd/e/ text\n/x/ diff\nabc/ merge\n/ a\n// a\nd a=name\n' },
  stars: { '.gitattributes': '**/a a=1\nd/** text\na/**/c merge\n**/e/** diff\n*/a eol=1\nd/*/f/*.txt export-ignore\n**b.txt a=2\na** a=3\n***/c a=4' },
  sets: {
    '.gitattributes':
      '[a-c] a\n[!a]b text\n[[:alpha:]]? merge\n[]-] diff\n[[] diff\n[a eol\n[[:nope:]] a=bad\n[\\]] a=5\n[a-]* eol=d\n[^a-z]* export-ignore\nd[/]a a=slash\n[[:upper:][:digit:]]* a=up\n[[:a] a=6\na[]] a=7\n[z-a] text=no',
  },
  escapes: { '.gitattributes': 'a\\*b a\n\\\\ a=back\n\\# text\n\\a merge\na\\\n\\\n\\[ eol\n' },
  'overlong lines': { '.gitattributes': `* ${'x'.repeat(2043)} a\na ${'y'.repeat(2040)} text\n* diff` },
  'a NUL ends the file': { '.gitattributes': 'a a\nb.txt a\0b\nc a\n' },
  'a byte order mark is part of the pattern': { '.gitattributes': '\ufeffa a\nc a\n' },
  'bytes that are no text': {
    '.gitattributes': Buffer.from([0x61, 0x20, 0x61, 0x3d, 0x78, 0x0a, 0xff, 0x2a, 0x20, 0x61, 0x0a, 0xc3, 0x3f, 0x20, 0x61, 0x3d, 0x32]),
  },
}

for (const [name, files] of Object.entries(cases)) {
  test(`${name}: as git check-attr says`, () => compare(files, paths))
}

test('random patterns on random paths: as git check-attr says', async () => {
  const random = randomFrom(77)
  const pick = (pieces: string[]) => pieces[Math.floor(random() * pieces.length)]
  const several = (count: number, pieces: string[]) => Array.from({ length: 1 + Math.floor(random() * count) }, () => pick(pieces)).join('')
  const pieces = ['a', 'b', 'c', '/', '*', '**', '?', '[ab]', '[!a]', '\\a', '.', '/**/', '**/', '/*', 'a/', '[[:alpha:]]']
  // Of `a**`, versions of git think differently.
  const pattern = () => several(6, pieces).replace(/(?<=[\w.])\*\*+/g, '*')
  for (let round = 0; round < 6; round++) {
    const lines = () => Array.from({ length: 40 }, (_, i) => `${pattern()} ${pick(['a', 'text', '-a', '!a', 'merge', 'm1', '-m1'])} eol=${i}`).join('\n')
    const asked = Array.from({ length: 150 }, () => several(8, ['a', 'b', 'c', 'a.b', 'a/', 'b/']))
    await compare(
      {
        '.gitattributes': `[attr]m1 merge=${round} -diff\n${lines()}`,
        'a/.gitattributes': lines(),
        'a/b/.gitattributes': lines(),
        'b/.gitattributes': lines(),
      },
      asked,
    )
  }
})

test('a path that is no UTF-8 is asked about by its bytes', async () => {
  const question = new TreeAttributes(store, await treeOf({ '.gitattributes': Buffer.from('caf\xe9 a\n', 'latin1') })).question(['a'])
  expect([question.ask(Buffer.from('caf\xe9', 'latin1')).a, question.ask('café').a]).toEqual([true, undefined])
})

describe('hostile trees', () => {
  const memory = new MemoryStore()
  const blob = (text: string) => ({ mode: FILE_MODE, name: '.gitattributes', oid: memory.write('blob', Buffer.from(text)) })
  const treeWith = (text: string) => memory.write('tree', encodeTree([blob(text)]))

  test('patterns that take forever are over a limit', () => {
    const question = attributesOf(memory, treeWith(`x/${'a*'.repeat(900)}b a\n${'**/a'.repeat(400)}/b a`)).question(['a'])
    expect(() => question.ask(`x/${'a'.repeat(4000)}`)).not.toThrow('Maximum')
    const slow = attributesOf(memory, treeWith(`${'**/'.repeat(300)}*a/b a`)).question(['a'])
    expect(() => slow.ask('a/'.repeat(1000))).toThrow('take too many steps')
  })

  test('a file of a megabyte counts for nothing, one less is read', () => {
    const filler = '#'.repeat(1023).concat('\n').repeat(1023)
    const asked = (text: string) => attributesOf(memory, treeWith(text)).question(['a']).ask('x').a
    expect([asked(`* a\n${filler}`), asked(`* a\n${filler}${'#'.repeat(1020)}`)]).toEqual([true, undefined])
  })

  test('more lines than anybody needs are over a limit, a chain of macros is not', () => {
    expect(() => attributesOf(memory, treeWith('a b\n'.repeat(200_000)))).toThrow('too many attributes')
    const chain = Array.from({ length: 20_000 }, (_, i) => `[attr]m${i} m${i + 1}`).join('\n')
    expect(
      attributesOf(memory, treeWith(`${chain}\n* m0\n[attr]m20000 a=end`))
        .question(['a'])
        .ask('x').a,
    ).toBe('end')
  })

  test('directories without end, and trees that hold themselves by name, are followed only as far as the path goes', () => {
    let tree = treeWith('* a\n')
    for (let i = 0; i < 50; i++) tree = memory.write('tree', encodeTree([{ mode: TREE_MODE, name: 'd', oid: tree }]))
    const question = attributesOf(memory, tree).question(['a'])
    expect([question.ask(`${'d/'.repeat(50)}x`).a, question.ask(`${'d/'.repeat(49)}x`).a, question.ask(`${'d/'.repeat(2000)}x`).a]).toEqual([
      true,
      undefined,
      true,
    ])
  })

  test('an attributes file that is a directory, a submodule or missing says nothing', () => {
    const odd = (mode: number, oid: Oid) => memory.write('tree', encodeTree([{ mode, name: '.gitattributes', oid }]))
    for (const tree of [odd(TREE_MODE, treeWith('* a')), odd(0o160000, '1'.repeat(40) as Oid), odd(FILE_MODE, '2'.repeat(40) as Oid), SHA1.emptyTree])
      expect(attributesOf(memory, tree).question(['a']).ask('x').a).toBeUndefined()
  })
})
