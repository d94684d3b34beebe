import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { outcome } from '../../../test/outcome.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { publishPacks } from '../packs/write/publish.ts'
import { browseTasks } from './browse-tasks.ts'
import { checkTasks } from './check-tasks.ts'
import { diffTasks } from './diff-tasks.ts'
import { logTasks } from './log-tasks.ts'
import { looks } from './looks.ts'
import { moveTasks } from './move-tasks.ts'
import { OpenRepo, OpenRepos, type RepoPlace } from './open-repos.ts'
import { decodeRefs, encodeRefs, linesOf } from './ref-list.ts'
import { refTasks } from './ref-tasks.ts'
import { upkeepTasks } from './upkeep-tasks.ts'

/** Tasks as a thread runs them, without the thread: what they answer is what git answers of the same repository. */
const history = new RandomHistory({ seed: 71, commits: 80, merges: 0.35, lines: 6 })
const place = { path: history.gitDir, limits: defaultLimits }
const repo = new OpenRepo(place)
const root = temporaryDirectory()
afterAll(() => {
  repo.close()
  history[Symbol.dispose]()
  root[Symbol.dispose]()
})

const tip = history.oids.at(-1) as Oid
const early = history.oids[20] as Oid
const absent = '12'.repeat(20) as Oid
const tree = history.git('rev-parse', `${tip}^{tree}`).trim() as Oid
const noDetails = { files: false, stat: false }

describe('histories', () => {
  test.each<[string, Parameters<typeof browseTasks.countCommits>[1]['range'], string[]]>([
    ['of all', { include: [tip], exclude: [] }, [tip]],
    ['of a range', { include: [tip], exclude: [early] }, [tip, `^${early}`]],
    ['of a path', { include: [tip], exclude: [], path: 'd' }, [tip, '--', 'd']],
  ])('%s are listed, page by page, and counted as git does', async (_, range, args) => {
    const expected = history.lines('rev-list', ...args) as Oid[]
    const listed: Oid[] = []
    for (let skip = 0; skip === listed.length; skip += 7) {
      const page = await browseTasks.listCommits(repo, { range, skip, limit: 7, details: noDetails })
      listed.push(...page.map(({ oid }) => oid))
    }
    expect(listed).toEqual(expected)
    expect(await browseTasks.countCommits(repo, { range })).toBe(expected.length)
  })

  test('drawn as a graph have the commits of the list', async () => {
    const question = { start: { tips: [tip] }, filter: { by: '', saying: '' }, skip: 5, limit: 20, maxLanes: 12, milliseconds: 10_000 }
    const { rows } = await logTasks.readLog(repo, question)
    expect(rows.map(({ oid }) => oid)).toEqual(history.lines('rev-list', '--skip=5', '-n20', tip) as Oid[])
    expect(rows.every(({ row }) => row !== undefined && row.column >= 0 && row.column < 12)).toBe(true)
  })

  test('meet where git says they meet, and nowhere when they do not', async () => {
    const [a, b] = [history.oids[70], history.oids[60]] as [Oid, Oid]
    const [first] = history.lines('merge-base', '--all', a, b)
    expect(await diffTasks.mergeBase(repo, { a, b })).toBe(first as Oid)
    const lonely = git(['commit-tree', '-m', 'x', tree], { cwd: history.gitDir, env: identity }).toString().trim() as Oid
    repo.store.refresh()
    expect(await diffTasks.mergeBase(repo, { a, b: lonely })).toBeUndefined()
  })
})

const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' }

describe('objects', () => {
  test('are told by type, and those that are not there by nothing, in the order asked', async () => {
    expect(await browseTasks.objectTypes(repo, { oids: [tree, absent, tip, tree] })).toEqual(['tree', undefined, 'commit', 'tree'])
    const times = await browseTasks.commitTimes(repo, { oids: [tip, tree, absent] })
    expect(times).toEqual([Number(history.git('log', '-1', '--format=%ct', tip)), undefined, undefined])
  })

  test('that are files are read and spooled, but not over a limit, nor over a file that is there', async () => {
    const [line] = history.lines('ls-tree', '-r', tip).filter((one) => one.startsWith('100'))
    const oid = (line as string).slice(12, 52) as Oid
    const content = history.git('cat-file', 'blob', oid)
    const [read] = looks.blobs(repo.store, { oids: [oid], maxBytes: 10_000 })
    expect(Buffer.from(read as Uint8Array).toString()).toBe(content)
    expect(() => looks.blobs(repo.store, { oids: [oid], maxBytes: content.length - 1 })).toThrow('over the limit')
    const path = join(root.path, 'spooled')
    await browseTasks.spoolBlob(repo, { oid, path })
    expect(readFileSync(path, 'utf8')).toBe(content)
    expect(await outcome(browseTasks.spoolBlob(repo, { oid, path }))).toThrow('EEXIST')
    expect(await outcome(browseTasks.spoolBlob(repo, { oid: absent, path: join(root.path, 'none') }))).toThrow(absent)
    expect([readFileSync(path, 'utf8'), existsSync(join(root.path, 'none'))]).toEqual([content, false])
  })

  test('on the way to a path are those that git finds', async () => {
    for (const path of history.lines('ls-tree', '-r', '-t', '--name-only', '-z', tip).join('').split('\0').slice(0, -1)) {
      const found = await browseTasks.openPath(repo, { tree, path, maxBytes: 1000 })
      expect(found?.oid as string).toBe(history.git('rev-parse', `${tip}:${path}`).trim())
    }
    expect(await browseTasks.openPath(repo, { tree, path: 'not/there', maxBytes: 10 })).toBeUndefined()
  })

  test('of a push that are gone tell nothing of it, and of the others what they brought', async () => {
    const pushed = [
      { name: 'a', before: early, after: tip },
      { name: 'b', before: absent, after: tip },
    ]
    const [first, second] = await browseTasks.listPushed(repo, { pushed, others: '', limit: 5 })
    expect(first?.map(({ oid }) => oid)).toEqual(history.lines('rev-list', '-n5', tip, `^${early}`) as Oid[])
    expect(second).toBeUndefined()
  })
})

describe('blame', () => {
  test('passes over what is called a revision and is no commit here, and names all commits that it names', async () => {
    const path = history.lines('ls-tree', '-r', '--name-only', tip).find((name) => /^[a-z.]+$/.test(name)) as string
    const plain = await diffTasks.blame(repo, { commit: tip, path })
    const odd = await diffTasks.blame(repo, { commit: tip, path, options: { ignoreRevisions: [tree, absent] } })
    expect(odd).toEqual(plain)
    const ignored = plain.groups[0]?.commit as Oid
    const real = await diffTasks.blame(repo, { commit: tip, path, options: { ignoreRevisions: [ignored, tree] } })
    const lines = history.lines('blame', '-s', '-l', `--ignore-rev=${ignored}`, tip, '--', path)
    expect(real.groups.map(({ commit }) => commit.slice(0, 39))).toEqual([...new Set(lines.map((line) => line.replace(/^[\^?*]+/, '').slice(0, 39)))])
    for (const { commit } of plain.groups) expect(plain.commits.get(commit)?.subject).toBe(history.git('log', '-1', '--format=%s', commit).trim())
  })
})

describe('moves', () => {
  test('are judged one by one, in the order asked', async () => {
    const ask = (from: Oid | undefined, to: Oid) => ({ from, to, known: history.oids.slice(0, 10), forbidden: [], free: ['**'], signatures: true })
    const answers = await moveTasks.lookAtMoves(repo, { packPaths: [], questions: [ask(early, tip), ask(tip, tip), ask(undefined, early)] })
    const isChanged = (from: string, to: string) => history.lines('diff-tree', '-r', '--name-only', from, to).length > 0
    expect(answers[0]?.isFree).toBe(isChanged(early, tip))
    expect(answers[1]).toEqual({ isFree: false, signed: [] })
    expect(answers.map(({ unsigned }) => unsigned !== undefined)).toEqual([true, false, true])
  })

  test('tell what commits say, also of those that lie in a pack that nobody sees yet', async () => {
    const commit = git(['commit-tree', '-p', tip, '-m', 'hidden', tree], { cwd: history.gitDir, env: identity }).toString().trim() as Oid
    const pack = git(['pack-objects', '-q', join(root.path, 'pack')], { cwd: history.gitDir, stdin: commit })
      .toString()
      .trim()
    rmSync(join(history.gitDir, 'objects', commit.slice(0, 2), commit.slice(2)))
    const packPaths = [join(root.path, `pack-${pack}.pack`)]
    const [read] = await moveTasks.readCommits(repo, { packPaths, oids: [commit] })
    expect(read?.commit.message).toBe('hidden\n')
    expect(await outcome(moveTasks.readCommits(repo, { packPaths: [], oids: [commit] }))).toThrow(commit)
  })
})

describe('refs on their way between threads', () => {
  test('come out as they went in, peeled or not, in chunks, again and again', async () => {
    const refs = Array.from({ length: 500 }, (_, i) => ({
      oid: history.oids[i % 80] as Oid,
      name: `refs/${i % 3 ? 'heads' : 'tags'}/ü${i}`,
      ...(i % 3 ? {} : { peeled: tip }),
    }))
    const chunks = [encodeRefs(refs.slice(0, 200)), encodeRefs([]), encodeRefs(refs.slice(200))]
    for (let round = 0; round < 3; round++) expect(await decodeRefs(chunks)).toEqual(refs)
    expect(linesOf(chunks[0] as (typeof chunks)[0]).length).toBe(200)
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(3)
  })

  test('are written as files that git reads', async () => {
    const refs = history.oids.slice(0, 30).map((oid, i) => ({ oid, name: `refs/heads/w${String(i).padStart(2, '0')}` }))
    await refTasks.packRefs(repo, { head: 'ref: refs/heads/w03\n', temporary: 'tmp-1', chunks: [encodeRefs(refs)] })
    expect(history.lines('for-each-ref', '--format=%(objectname) %(refname)')).toEqual(refs.map(({ oid, name }) => `${oid} ${name}`))
    expect(history.git('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/w03')
    const moved = { name: 'refs/heads/w03', oid: tip }
    expect(await refTasks.writeRefs(repo, { head: 'ref: refs/heads/w04\n', temporary: 'tmp-2', refs: [moved] })).toBe(true)
    expect([history.git('rev-parse', 'w03').trim(), history.git('symbolic-ref', 'HEAD').trim()]).toEqual([tip, 'refs/heads/w04'])
    expect(readdirSync(history.gitDir).filter((name) => name.startsWith('tmp-'))).toEqual([])
  })
})

describe('upkeep and checks', () => {
  const chunks = [encodeRefs([{ oid: tip, name: 'refs/heads/main' }])]

  test(
    'pack what refs reach, write its graph, and find the whole of it sound',
    async () => {
      const quarantine = join(history.gitDir, 'objects', 'tmp_upkeep')
      const { packs } = await upkeepTasks.consolidate(repo, { chunks, cutoff: Number.POSITIVE_INFINITY, quarantine })
      publishPacks(packs, join(history.gitDir, 'objects/pack'))
      rmSync(quarantine, { recursive: true })
      const objects = history.lines('rev-list', '--objects', tip).length
      expect(await checkTasks.checkReach(repo, { tips: [tip] })).toEqual({ objects, fault: undefined })
      const checked = await checkTasks.checkPacks(repo, {})
      expect([checked.faults, checked.objects >= objects]).toEqual([[], true])
      const nowhere = join(history.gitDir, 'nowhere/graph')
      expect(await outcome(upkeepTasks.writeCommitGraph(repo, { chunks, temporary: nowhere }))).toThrow('ENOENT')
      const written = await upkeepTasks.writeCommitGraph(repo, {
        chunks: [
          encodeRefs([
            { oid: tip, name: 'a' },
            { oid: tree, name: 'b' },
          ]),
        ],
      })
      expect(written.commits).toBe(history.lines('rev-list', tip).length)
      history.git('commit-graph', 'verify')
      expect(repo.graph()?.count).toBe(written.commits)
    },
    PATIENCE,
  )

  test('say nothing of a pack that was joined with others while it was waited for', async () => {
    const store = { refresh: () => {}, faults: [], packs: [{ path: join(history.gitDir, 'objects/pack/pack-joined.pack') }] }
    const other = { path: repo.path, limits: repo.limits, store } as never
    expect(await checkTasks.checkPacks(other, {})).toEqual({ packs: 0, objects: 0, faults: [] })
  })

  test('name what is missing and which pack is damaged, and change nothing', async () => {
    expect((await checkTasks.checkReach(repo, { tips: [absent] })).fault).toContain(absent)
    const directory = join(history.gitDir, 'objects/pack')
    const name = readdirSync(directory).find((file) => file.endsWith('.pack')) as string
    const good = readFileSync(join(directory, name))
    const copy = join(directory, `pack-${'9'.repeat(40)}`)
    const bad = Buffer.from(good)
    bad[good.length >> 1] = (bad[good.length >> 1] as number) ^ 1
    writeFileSync(`${copy}.pack`, bad)
    writeFileSync(`${copy}.idx`, readFileSync(join(directory, name.replace(/pack$/, 'idx'))))
    const { faults } = await checkTasks.checkPacks(repo, {})
    expect(faults.map((fault) => fault.includes('9'.repeat(40)))).toEqual([true])
    expect(readFileSync(`${copy}.pack`).equals(bad)).toBe(true)
    for (const ending of ['.pack', '.idx']) rmSync(copy + ending)
  })

  test('that fail leave no quarantine behind', async () => {
    const quarantine = join(history.gitDir, 'objects', 'tmp_failed')
    const lost = [encodeRefs([{ oid: absent, name: 'refs/heads/main' }])]
    expect(await outcome(upkeepTasks.consolidate(repo, { chunks: lost, cutoff: 0, quarantine }))).toThrow(absent)
    await upkeepTasks.consolidate(repo, { chunks: lost, cutoff: 0, quarantine }).catch(() => {})
    expect(existsSync(quarantine)).toBe(false)
  })
})

describe('the repositories that a thread has open', () => {
  test('are the same as long as they are asked for, no more than so many, and gone once forgotten', async () => {
    const repos = new OpenRepos()
    const open = (where: RepoPlace) => repos.use(where, async (repo) => repo)
    const openOthers = async (from: number, count: number) => {
      for (let i = from; i < from + count; i++) await open({ ...place, path: join(root.path, `none-${i}.git`) })
    }
    const one = await open(place)
    expect(await open({ ...place })).toBe(one)
    const beside = await open({ ...place, beside: history.gitDir })
    expect(beside).not.toBe(one)
    repos.forget(history.gitDir)
    expect(await open(place)).not.toBe(one)
    const kept = await open(place)
    await openOthers(0, 63)
    expect(await open(place)).toBe(kept)
    await openOthers(100, 64)
    expect(await open(place)).not.toBe(kept)
    repos.forget(history.gitDir)
  })
})
