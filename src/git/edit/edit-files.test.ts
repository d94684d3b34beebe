import { afterAll, describe, expect, test } from 'bun:test'
import { Random } from '../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { property } from '../../../test/seeds.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { Porcelain } from '../porcelain.ts'
import { kindOf } from '../store/contract.ts'
import { MemoryStore } from '../store/memory.ts'
import { ScratchStore } from '../store/scratch-store.ts'
import type { GitObject } from '../store/types.ts'
import { editFiles, type FileEdit } from './edit-files.ts'
import { EditableTree } from './editable-tree.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

/** Paths, and the mode, a blank and the content of what lies there. */
type Files = Map<string, string>

function treeOf(store: ScratchStore, files: Files): Oid {
  const tree = new EditableTree(store, undefined)
  for (const [path, entry] of files) tree.put(path, { mode: Number.parseInt(entry.slice(0, 6), 8), oid: store.write('blob', Buffer.from(entry.slice(7))) })
  return tree.write()
}

/** The ids of the same trees, made by git out of nothing but the paths. */
function byGit(all: readonly Files[]): string[] {
  initBare(root.path)
  const stream = all.map((files, at) => {
    const lines = [`commit refs/heads/t${at}`, 'committer A <a@b> 1 +0000', 'data 1', 'x', 'deleteall']
    for (const [path, entry] of files) lines.push(`M ${entry.slice(0, 6)} inline "${path}"`, `data ${Buffer.byteLength(entry.slice(7))}`, entry.slice(7))
    return `${lines.join('\n')}\n\n`
  })
  git(['fast-import', '--quiet', '--force'], { cwd: root.path, stdin: stream.join('') })
  const asked = all.map((_, at) => `refs/heads/t${at}^{tree}\n`).join('')
  return git(['cat-file', '--batch-check=%(objectname)'], { cwd: root.path, stdin: asked }).toString().trim().split('\n')
}

const names = ['a', 'b', 'a.b', 'a-b', 'ü', 'with blank']
const somePath = (random: Random) => Array.from({ length: 1 + random.below(3) }, () => random.pick(names)).join('/')
const isInside = (files: Files, path: string) => [...files.keys()].some((other) => path.startsWith(`${other}/`))
const isDirectory = (files: Files, path: string) => [...files.keys()].some((other) => other.startsWith(`${path}/`))

/** Does an edit to the files as the API says it is done; false when it must be refused. */
function apply(files: Files, { operation, path, fromPath = path, data }: FileEdit): boolean {
  const text = data === undefined ? undefined : Buffer.from(data).toString()
  const before = files.get(fromPath)
  if (operation === 'delete') return files.delete(path)
  const creates = operation === 'create' || (fromPath === path && before === undefined && !isDirectory(files, path))
  if (creates && operation !== 'rename') {
    if (files.has(path) || isDirectory(files, path) || isInside(files, path)) return false
    files.set(path, `100644 ${text ?? ''}`)
    return true
  }
  if (before === undefined || (before.startsWith('120000') && text !== undefined)) return false
  if (fromPath !== path && (files.has(path) || isDirectory(files, path))) return false
  if (fromPath !== path) files.delete(fromPath)
  if (isInside(files, path) || isDirectory(files, path)) return false
  files.set(path, text === undefined ? before : `${before.slice(0, 6)} ${text}`)
  return true
}

const SEEDS = 120

/** Edits some files, and checks that they can be edited exactly when a model says so; answers what that made, if anything. */
function edited(random: Random): { tree: string; files: Files; about: unknown } | undefined {
  const store = new ScratchStore(new MemoryStore(), 1e9)
  const files: Files = new Map()
  for (let i = random.below(10); i > 0; i--) {
    const path = somePath(random)
    if (!isInside(files, path) && !isDirectory(files, path)) files.set(path, `${random.pick(['100644', '100755', '120000'])} content ${i}`)
  }
  const before = files.size === 0 ? undefined : treeOf(store, files)
  const model = new Map(files)
  const edits: FileEdit[] = []
  let isPossible = true
  for (let i = 1 + random.below(6); i > 0 && isPossible; i--) {
    const known = random.chance(0.7) && model.size > 0
    const path = known ? random.pick([...model.keys()]) : somePath(random)
    const operation = random.pick(['create', 'update', 'upload', 'rename', 'delete'] as const)
    const moved = operation === 'rename' || (operation === 'update' && random.chance(0.3))
    const data = operation === 'delete' || random.chance(0.2) ? undefined : Buffer.from(`edit ${i}`)
    const edit: FileEdit = moved ? { operation, path: somePath(random), fromPath: path, data } : { operation, path, data }
    edits.push(edit)
    isPossible = apply(model, edit)
  }
  const about = { files: [...files], edits: edits.map((edit) => ({ ...edit, data: edit.data && Buffer.from(edit.data).toString() })) }
  let tree: string | undefined
  const kind = kindOf(() => {
    tree = editFiles(store, before, edits).tree
  })
  expect({ about, isDone: kind === undefined }).toEqual({ about, isDone: isPossible })
  return tree === undefined ? undefined : { tree, files: model, about }
}

property('edits in any order are done, or if one cannot be done all are undone', SEEDS, (random) => void edited(random))

test('the trees that those edits made are git’s', () => {
  const outcomes = Array.from({ length: SEEDS }, (_, i) => edited(new Random(i + 1))).filter((one) => one !== undefined)
  const expected = byGit(outcomes.map(({ files }) => files))
  for (const [at, { tree, about }] of outcomes.entries()) expect({ about, tree }).toEqual({ about, tree: expected[at] as string })
  expect(outcomes.length).toBeGreaterThan(20)
})

describe('an edit', () => {
  const store = new ScratchStore(new MemoryStore(), 1e9)
  const file = store.write('blob', Buffer.from('content'))
  const tree = treeOf(
    store,
    new Map([
      ['d/file', '100644 content'],
      ['run', '100755 content'],
      ['link', '120000 run'],
      ['d/e/deep', '100644 deep'],
    ]),
  )
  const data = Buffer.from('new')
  const other = '9'.repeat(40)
  const rows: [what: string, edit: FileEdit, kind: string | undefined][] = [
    ['of what the client saw is done', { operation: 'update', path: 'd/file', data, sha: file }, undefined],
    ['of what the client did not see is refused', { operation: 'update', path: 'd/file', data, sha: other }, 'refused'],
    ['that deletes what the client did not see is refused', { operation: 'delete', path: 'd/file', sha: other }, 'refused'],
    ['that moves what the client did not see is refused', { operation: 'rename', path: 'x', fromPath: 'd/file', sha: other }, 'refused'],
    ['of a file that is gone is absent', { operation: 'update', path: 'gone', data, sha: other }, 'absent'],
    ['that deletes nothing is absent', { operation: 'delete', path: 'gone' }, 'absent'],
    ['that moves nothing is absent', { operation: 'rename', path: 'x', fromPath: 'gone' }, 'absent'],
    ['that creates what is there is refused', { operation: 'create', path: 'run', data }, 'refused'],
    ['that creates a file where a directory is, is refused', { operation: 'create', path: 'd', data }, 'refused'],
    ['below a file is refused', { operation: 'create', path: 'run/x', data }, 'refused'],
    ['below a link is refused, not written through it', { operation: 'create', path: 'link/x', data }, 'refused'],
    ['of a directory is refused', { operation: 'update', path: 'd', data }, 'refused'],
    ['that deletes a directory is refused', { operation: 'delete', path: 'd/e' }, 'refused'],
    ['of a link’s content is refused', { operation: 'update', path: 'link', data }, 'refused'],
    ['that moves a link is done', { operation: 'rename', path: 'other', fromPath: 'link' }, undefined],
    ['that moves onto a file is refused', { operation: 'rename', path: 'run', fromPath: 'd/file' }, 'refused'],
    ['that moves a file below itself is done', { operation: 'rename', path: 'run/run', fromPath: 'run' }, undefined],
    ['with slashes at the ends of its path is done', { operation: 'create', path: '/x/', data }, undefined],
    ...[
      '',
      '/',
      'a//b',
      '../x',
      'a/../b',
      './x',
      '.git/config',
      '.GIT/x',
      'a/.git/hooks',
      'git~1/x',
      '.git /x',
      'a\\..\\b',
      'a\0b',
      '.g\u200cit/x',
      'x'.repeat(5000),
    ].map((path): [string, FileEdit, string] => [`at ${JSON.stringify(path.slice(0, 20))} is refused`, { operation: 'create', path, data }, 'refused']),
  ]
  test.each(rows)('%s', (_, edit, kind) => {
    expect(kindOf(() => editFiles(store, tree, [edit])) as string | undefined).toBe(kind)
    if (edit.operation === 'create' && kind === 'refused' && !edit.path.startsWith('d') && !edit.path.startsWith('run') && !edit.path.startsWith('link'))
      expect(kindOf(() => editFiles(store, tree, [{ operation: 'rename', fromPath: 'run', path: edit.path || '/' }])) as string | undefined).toBe('refused')
  })

  test('keeps the mode of a file, and tells what became of each', () => {
    const edited = editFiles(store, tree, [
      { operation: 'update', path: 'run', data },
      { operation: 'delete', path: 'd/e/deep' },
      { operation: 'rename', path: 'moved', fromPath: 'd/file' },
    ])
    const written = store.write('blob', data)
    expect(edited.files).toEqual([
      { path: 'run', entry: { mode: 0o100755, oid: written }, isChanged: true },
      { path: 'd/e/deep', entry: undefined, isChanged: true },
      { path: 'moved', entry: { mode: 0o100644, oid: file }, isChanged: true },
    ] as never)
    const same = editFiles(store, edited.tree, [{ operation: 'update', path: 'run', data }])
    expect(same.files[0]?.isChanged).toBe(false)
    // What became empty is gone.
    expect(new EditableTree(store, edited.tree).find('d')).toBeUndefined()
  })

  test.each<FileEdit>([
    { operation: 'create', path: 'd/e', data },
    { operation: 'upload', path: 'd/e', data },
    { operation: 'update', path: 'd/e', data },
    { operation: 'rename', path: 'd/e', fromPath: 'run' },
  ])('may put a file where the directory was that an edit before it emptied: %j', (edit) => {
    const { tree: edited } = editFiles(store, tree, [{ operation: 'delete', path: 'd/e/deep' }, edit])
    expect(new EditableTree(store, edited).find('d/e')?.mode).toBe(edit.operation === 'rename' ? 0o100755 : 0o100644)
  })

  test('that takes the last file away leaves the empty tree', () => {
    const one = treeOf(store, new Map([['a/b/c', '100644 x']]))
    expect(editFiles(store, one, [{ operation: 'delete', path: 'a/b/c' }]).tree).toBe(SHA1.emptyTree)
  })

  test('reads and writes only what lies on its way', () => {
    const read: Oid[] = []
    class WatchedStore extends MemoryStore {
      override get(...[oid, type, maxBytes]: Parameters<MemoryStore['get']>): GitObject {
        read.push(oid)
        return super.get(oid, type, maxBytes)
      }
    }
    const watched = new WatchedStore()
    const wide = new Porcelain(watched).writeFiles(Array.from({ length: 50 }, (_, i) => ({ path: `d${i}/file`, data: `${i}` })))
    const scratch = new ScratchStore(watched, 1e6)
    const { tree: changed } = editFiles(scratch, wide, [{ operation: 'update', path: 'd7/file', data }])
    expect(read.length).toBeLessThan(6)
    expect(scratch.reachable([changed]).length).toBe(3)
  })
})
