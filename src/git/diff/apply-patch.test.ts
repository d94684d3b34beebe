import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { git as runGit } from '../../../test/git-fixture.ts'
import { soak } from '../../../test/soak.ts'
import { GitError } from '../errors.ts'
import { hashObject, type Oid, SHA1 } from '../objects/oid.ts'
import { encodeTree } from '../objects/tree.ts'
import { MemoryStore } from '../store/memory.ts'
import { applyPatch, type PatchedFile } from './apply-patch.ts'
import { RandomChanges } from './random-changes.fixture.ts'
import { diffTrees } from './tree-diff.ts'

const history = new RandomChanges(47, 50)
const index = join(history.gitDir, 'test-index')
afterAll(() => history[Symbol.dispose]())

const shown = (mode: number, oid: string) => `${mode.toString(8)} ${oid}`

function shownFile(file: PatchedFile | undefined): string {
  if (file === undefined) return 'gone'
  return shown(file.mode, 'oid' in file ? file.oid : hashObject(SHA1, 'blob', file.data))
}

/** Path → what is there afterwards, of all that changed. */
function applied(tree: Oid, patch: Uint8Array): Map<string, string> {
  const changed = applyPatch(history.store, tree, patch).filter(({ old, new: now }) => shownFile(now) !== (old ? shown(old.mode, old.oid) : 'gone'))
  return new Map(changed.map(({ path, new: now }) => [path, shownFile(now)]))
}

function difference(from: Oid, to: Oid): Map<string, string> {
  const changes = [...diffTrees(history.store, from, to)]
  return new Map(changes.map(({ path, new: now }) => [path, now ? shown(now.mode, now.oid) : 'gone']))
}

const sorted = (map: Map<string, string>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

test.each<string[]>([['-M'], ['-C'], ['--no-renames'], ['-M', '-U1'], ['-M', '--inter-hunk-context=5']])(
  "git's own patches with %j make one tree of the other",
  (...flags) => {
    const patches = history.diffs(history.pairs(), '-r', '-p', '--binary', '--full-index', ...flags)
    for (const [at, [a, b]] of history.pairs().entries()) {
      const [from, to] = [history.tree(a), history.tree(b)]
      const patch = patches[at] as Buffer
      if (patch.length > 0) expect(sorted(applied(from, patch))).toEqual(sorted(difference(from, to)))
    }
  },
)

/** The tree that stock git makes, undefined when it refuses. */
function gitApply(tree: Oid, patch: Buffer): Oid | undefined {
  const env = { GIT_INDEX_FILE: index, GIT_DIR: history.gitDir, GIT_WORK_TREE: history.gitDir }
  const run = (args: string[], stdin?: Buffer) => runGit(['-c', 'core.bare=false', ...args], { cwd: history.gitDir, env, stdin })
  rmSync(index, { force: true })
  run(['read-tree', tree])
  try {
    run(['apply', '--cached', '--whitespace=nowarn'], patch)
    return run(['write-tree']).toString().trim() as Oid
  } catch {
    return undefined
  }
}

test('on trees that have gone on, patches fit where stock git lets them fit, and nowhere else', () => {
  const outcomes = { fits: 0, refused: 0 }
  for (let at = 2; at < 50; at += soak(2, 1)) {
    const patch = history.bytes('format-patch', '--stdout', '-1', '--full-index', history.commits[at] as Oid)
    const tree = history.tree(history.commits[(at * 7) % 50] as Oid)
    const expected = gitApply(tree, patch)
    if (expected === undefined) expect(() => applied(tree, patch)).toThrow(GitError)
    else {
      history.store.refresh()
      expect(sorted(applied(tree, patch))).toEqual(sorted(difference(tree, expected)))
    }
    outcomes[expected === undefined ? 'refused' : 'fits']++
  }
  expect(outcomes.fits).toBeGreaterThan(soak(2, 5))
  expect(outcomes.refused).toBeGreaterThan(5)
})

describe('one tree', () => {
  const store = new MemoryStore()
  const blob = (text: string) => store.write('blob', Buffer.from(text))
  const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('')
  const tree = (entries: [mode: number, name: string, oid: Oid][]) => store.write('tree', encodeTree(entries.map(([mode, name, oid]) => ({ mode, name, oid }))))
  const root = tree([
    [0o100644, 'file', blob(lines(1, 30))],
    [0o100644, 'end', blob('a\nb')],
    [0o120000, 'link', blob('file')],
    [0o40000, 'dir', tree([[0o100644, 'inner', blob('x\n')]])],
  ])
  const apply = (patch: string) =>
    applyPatch(store, root, Buffer.from(patch)).map(({ path, new: now }) => [path, now && 'data' in now ? Buffer.from(now.data).toString() : now])
  const change = (name: string, body: string) => `--- a/${name}\n+++ b/${name}\n${body}`

  test('a plain diff between text of a mail applies', () => {
    const patch = `Hello,\nplease take this:\n\n${change('end', '@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n')}-- \nyours\n`
    expect(apply(patch)).toEqual([['end', 'a\nb\nc\n']])
  })

  test('lines are found as far off as lines above have moved', () => {
    const hunk = '@@ -3,5 +3,5 @@\n line 18\n line 19\n-line 20\n+LINE 20\n line 21\n line 22\n'
    expect(apply(change('file', hunk))).toEqual([['file', lines(1, 30).replace('line 20', 'LINE 20')]])
  })

  test('files come, go and move', () => {
    const patch = [
      'diff --git a/new b/new\nnew file mode 100755\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+hello\n',
      'diff --git a/dir/inner b/dir/inner\ndeleted file mode 100644\n--- a/dir/inner\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      'diff --git a/file b/other\nsimilarity index 100%\nrename from file\nrename to other\n',
    ]
    expect(apply(patch.join(''))).toEqual([
      ['new', 'hello\n'],
      ['dir/inner', undefined],
      ['file', undefined],
      ['other', lines(1, 30)],
    ])
  })

  test('a file may take the place of a directory that goes', () => {
    const gone = 'diff --git a/dir/inner b/dir/inner\ndeleted file mode 100644\n--- a/dir/inner\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'
    const come = 'diff --git a/dir b/dir\nnew file mode 100644\n--- /dev/null\n+++ b/dir\n@@ -0,0 +1 @@\n+hello\n'
    expect(apply(gone + come)).toHaveLength(2)
    expect(() => apply(come)).toThrow('"dir": a directory with this name exists')
  })

  const created = (name: string, mode = '100644') => `diff --git a/${name} b/${name}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`
  test.each<[string, string, string]>([
    [
      'that does not fit',
      change('file', '@@ -5,3 +5,3 @@\n line 5\n-line six\n+x\n line 7\n'),
      'to "file": hunk 1 (line 3 of the patch, for line 5 of the file)',
    ],
    ['to no file', change('absent', '@@ -1 +1 @@\n-a\n+b\n'), '"absent": the file does not exist'],
    ['that makes what is there', created('file'), '"file": the file already exists'],
    ['that leads out of the tree', created('../hooks/post-receive'), '".."'],
    ['that writes into .git', created('.git/config'), '.git'],
    ['that writes into a subdirectory called .GIT', created('dir/.GIT/config'), '.git'],
    ['that writes into what Windows takes for .git', created('git~1/config'), '.git'],
    ['that writes through a link', created('link/x'), '"link" is not a directory'],
    ['that writes below a file it makes', created('a') + created('a/b'), '"a" is not a directory'],
    [
      'with an absolute name',
      'diff --git a//etc/passwd b//etc/passwd\nnew file mode 100644\n--- /dev/null\n+++ b//etc/passwd\n@@ -0,0 +1 @@\n+x\n',
      'empty name',
    ],
    ['that makes a link of .gitmodules', created('.gitmodules', '120000'), 'symbolic link'],
    ['with a mode of its own', created('x', '100777'), 'not a valid file mode'],
    ['that makes a directory', created('x', '040000'), 'not a valid file mode'],
    ['that turns a file into a link', 'diff --git a/file b/file\nold mode 100644\nnew mode 120000\n', 'type'],
    [
      'that leaves something of what it takes away',
      'diff --git a/end b/end\ndeleted file mode 100644\n--- a/end\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
      'does not apply',
    ],
    ['of nothing', 'just some text\n', 'does not change any file'],
    ['whose hunk is cut off', change('file', '@@ -1,3 +1,3 @@\n line 1\n-line 2\n'), 'truncated'],
    ['without contents of a binary', 'diff --git a/end b/end\nindex 1234567..89abcde 100644\nBinary files a/end and b/end differ\n', 'git diff --binary'],
    ['whose binary has short ids', 'diff --git a/end b/end\nindex 1234567..89abcde 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n', 'full object IDs'],
    ['whose binary unfolds', 'diff --git a/end b/end\nindex 1234567..89abcde 100644\nGIT binary patch\nliteral 99999999999\nHcmV?d00001\n\n', 'over the limit'],
    ['with a name that is no text', 'diff --git "a/\\377" "b/\\377"\nnew file mode 100644\n--- /dev/null\n+++ "b/\\377"\n@@ -0,0 +1 @@\n+x\n', 'not UTF-8'],
  ])('a patch %s is refused', (_, patch, reason) => {
    expect(() => apply(patch)).toThrow(GitError)
    expect(() => apply(patch)).toThrow(reason)
  })

  test('hunks that match everywhere cost what the limit lets them', () => {
    const many = `${'a\n'.repeat(4000)}b\n`
    const wide = tree([[0o100644, 'file', blob(many.repeat(20))]])
    const hunk = (at: number) => `@@ -${at},3001 +${at},3001 @@\n${' a\n'.repeat(2999)}-c\n+d\n a\n`
    expect(() => applyPatch(store, wide, Buffer.from(change('file', hunk(500))))).toThrow('too much work')
  })
})
