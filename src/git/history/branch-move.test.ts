import { describe, expect, test } from 'bun:test'
import { outcome } from '../../../test/outcome.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Oid } from '../objects/oid.ts'
import { unfoldingTree } from '../objects/unfolding-tree.fixture.ts'
import { lookAtMove, type MoveQuestion } from './branch-move.ts'
import { CommitSource } from './commit-source.ts'
import { HandHistory } from './hand-history.fixture.ts'

const history = new HandHistory()
const base = { 'README.md': '1', 'src/main.ts': '1', 'docs/Guide.md': '1', '.env': '1' }
const root = history.commit({ files: base, isSigned: true })
const docs = history.commit({ files: { ...base, 'docs/Guide.md': '2' }, parents: [root], isSigned: true })
const code = history.commit({ files: { ...base, 'docs/Guide.md': '2', 'src/main.ts': '2' }, parents: [docs] })
const secret = history.commit({ files: { ...base, '.env': '2', 'src/main.ts': '3' }, parents: [root], isSigned: true })
const undone = history.commit({ files: base, parents: [secret], isSigned: true })
const merge = history.commit({ files: { ...base, 'docs/Guide.md': '2', 'src/main.ts': '2', '.env': '2' }, parents: [code, secret], isSigned: true })
const removed = history.commit({ files: { 'README.md': '1' }, parents: [root], isSigned: true })
const other = history.commit({ files: { 'docs/x.md': 'x' }, isSigned: true })

const ask = (question: Partial<MoveQuestion> & { to: Oid }, checkpoint: Checkpoint = () => undefined) =>
  lookAtMove(new CommitSource(history.store), { from: root, known: [], forbidden: [], free: [], signatures: false, ...question }, checkpoint)

describe('of the files that a move changes', () => {
  test.each<[string, Partial<MoveQuestion> & { to: Oid }, { forbiddenFile?: string; isFree: boolean }]>([
    ['nothing is said when nothing is asked', { to: code }, { isFree: false }],
    ['one that is forbidden is named', { to: secret, forbidden: ['.env'] }, { forbiddenFile: '.env', isFree: false }],
    ['one that is not is let pass', { to: code, forbidden: ['.env'] }, { isFree: false }],
    ['the first of several is named', { to: merge, forbidden: ['**'] }, { forbiddenFile: '.env', isFree: false }],
    ['globs know no case', { to: docs, forbidden: ['docs/guide.md'] }, { forbiddenFile: 'docs/Guide.md', isFree: false }],
    ['all are free when globs match all', { to: docs, free: ['docs/**'] }, { isFree: true }],
    ['not all are when one matches none', { to: code, free: ['docs/**'] }, { isFree: false }],
    ['each may match another glob', { to: code, free: ['docs/**', 'src/**'] }, { isFree: true }],
    ['forbidden ones are never free', { to: docs, free: ['**'], forbidden: ['docs/**'] }, { forbiddenFile: 'docs/Guide.md', isFree: false }],
    ['nothing changed is not free', { to: undone, free: ['**'] }, { isFree: false }],
    ['what was changed and changed back is no matter', { to: undone, forbidden: ['.env'] }, { isFree: false }],
    ['those that are gone count', { to: removed, forbidden: ['src/**'] }, { forbiddenFile: 'src/main.ts', isFree: false }],
    ['a new branch is compared with where it leaves what is known', { from: undefined, known: [docs], to: code, free: ['src/**'] }, { isFree: true }],
    ['a new branch that is known changes nothing', { from: undefined, known: [code], to: docs, free: ['**'] }, { isFree: false }],
    [
      'a new branch of another root is all new',
      { from: undefined, known: [code], to: other, forbidden: ['docs/**'] },
      { forbiddenFile: 'docs/x.md', isFree: false },
    ],
    ['a new branch that merges is compared along its first parents', { from: undefined, known: [code], to: merge, free: ['.env'] }, { isFree: true }],
  ])('%s', async (_, question, expected) => {
    expect(await ask(question)).toEqual({ ...expected, signed: [] })
  })
})

describe('of the commits that a move brings', () => {
  test.each<[string, Partial<MoveQuestion> & { to: Oid }, { unsigned?: Oid; signed: Oid[] }]>([
    ['all are named when all are signed', { to: undone }, { signed: [undone, secret] }],
    ['one that is not signed is named, and no other', { to: merge }, { unsigned: code, signed: [] }],
    ['those known before are not looked at', { from: code, to: merge }, { signed: [merge, secret] }],
    ['none are new where a branch goes back', { from: merge, to: root }, { signed: [] }],
    ['of a new branch those count that nobody knows', { from: undefined, known: [code], to: merge }, { signed: [merge, secret] }],
    ['of a new branch where nothing is known all count', { from: undefined, to: docs }, { signed: [docs, root] }],
  ])('%s', async (_, question, expected) => {
    expect(await ask({ ...question, signatures: true })).toEqual({ isFree: false, ...expected })
  })
})

test('others have their turn at every step, and whoever loses patience ends it', async () => {
  let turns = 0
  await ask({ to: merge, signatures: true, free: ['**'] }, async () => void turns++)
  expect(turns).toBeGreaterThan(4)
  const impatient = ask({ to: merge, free: ['**'] }, () => Promise.reject(new Error('enough')))
  expect(await outcome(impatient)).toThrow('enough')
})

test('files that unfold without end are looked at up to a number', async () => {
  const tree = unfoldingTree(history.store, 12, Buffer.from('x'))
  const who = 'A <a@example.org> 1 +0000'
  const endless = history.store.write('commit', Buffer.from(`tree ${tree}\nparent ${root}\nauthor ${who}\ncommitter ${who}\n\nx\n`))
  expect(await outcome(ask({ to: endless, forbidden: ['secret'] }))).toThrow('more than 1000000 changes')
})

test('a commit that is missing is told, not taken for signed', async () => {
  const parents = ['12'.repeat(20) as Oid]
  const orphan = history.commit({ parents, isSigned: true })
  expect(await outcome(ask({ to: orphan, signatures: true }))).toThrow('12'.repeat(20))
})
