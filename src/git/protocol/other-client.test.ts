import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import isomorphic from 'isomorphic-git'
import http from 'isomorphic-git/http/node'
import { PATIENCE } from '../../../test/seeds.ts'
import { GitServer, git, objectsOf, tryGit } from './git-server.fixture.ts'
import { makeSample } from './sample-repository.fixture.ts'

/** A client of another make, which speaks the old protocol alone and reads packs by itself. */
const server = new GitServer()
let sample = ''
let count = 0

beforeAll(async () => {
  sample = await makeSample(server, 'sample')
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  expect(server.failures).toEqual([])
})

type CloneOptions = Partial<Parameters<typeof isomorphic.clone>[0]>

async function clone(options: CloneOptions = {}): Promise<string> {
  const dir = join(server.root, `other-${++count}`)
  await isomorphic.clone({ fs, http, dir, url: server.url('sample.git'), noCheckout: true, ...options })
  return dir
}

const commitsOf = async (dir: string, ref: string) => (await git(dir, 'rev-list', ref)).split('\n')

describe('a client that is not git', () => {
  test(
    'clones all that a branch reaches, and tags, which git finds sound',
    async () => {
      const dir = await clone()
      expect(await commitsOf(dir, 'refs/remotes/origin/main')).toEqual(await commitsOf(sample, 'main'))
      expect(await git(dir, 'rev-parse', 'v20', 'nested')).toBe(await git(sample, 'rev-parse', 'v20', 'nested'))
      expect((await tryGit(dir, 'fsck', '--full', '--strict', '--no-dangling')).code).toBe(0)
    },
    PATIENCE,
  )

  test.each<[string, CloneOptions, string[]]>([
    ['no deeper than asked', { depth: 3, singleBranch: true, noTags: true }, ['--depth=3', '--single-branch', '--no-tags']],
    ['one branch', { singleBranch: true, ref: 'side', noTags: true }, ['--single-branch', '--branch=side', '--no-tags']],
    [
      'since a date',
      { since: new Date('2024-01-20T00:00:00Z'), singleBranch: true, noTags: true },
      ['--shallow-since=2024-01-20T00:00:00Z', '--single-branch', '--no-tags'],
    ],
  ])(
    'clones %s, as git does',
    async (_, options, args) => {
      const ours = await clone(options)
      const theirs = join(server.root, `stock-${++count}`)
      await git(server.root, 'clone', '-q', '--no-checkout', ...args, `file://${sample}`, theirs)
      // It asks for tags of what it gets, whether it wants them or not.
      const withoutTags = async (dir: string) => (await objectsOf(dir)).filter((line) => !line.endsWith(' tag'))
      expect(await withoutTags(ours)).toEqual(await withoutTags(theirs))
    },
    PATIENCE,
  )

  test(
    'fetches what is new, and only that',
    async () => {
      const dir = await clone({ singleBranch: true })
      const before = new Set(await objectsOf(dir))
      const tip = await git(sample, 'commit-tree', '-m', 'new', '-p', 'main', 'main^{tree}')
      await git(sample, 'update-ref', 'refs/heads/main', tip)
      await isomorphic.fetch({ fs, http, dir, ref: 'main', singleBranch: true })
      expect(await git(dir, 'rev-parse', 'refs/remotes/origin/main')).toBe(tip)
      expect((await objectsOf(dir)).filter((line) => !before.has(line))).toEqual([`${tip} commit`])
    },
    PATIENCE,
  )

  test('is told which refs there are, those that tags lead to as well', async () => {
    const refs = await isomorphic.listServerRefs({ http, url: server.url('sample.git'), symrefs: true, peelTags: true })
    const expected = (await git(sample, 'show-ref')).split('\n').map((line) => line.split(' ') as [string, string])
    for (const [oid, name] of expected) expect(refs.find(({ ref }) => ref === name)?.oid).toBe(oid)
    expect(refs.find(({ ref }) => ref === 'HEAD')?.target).toBe('refs/heads/main')
    expect(refs.find(({ ref }) => ref === 'refs/tags/v20')?.peeled).toBe(await git(sample, 'rev-parse', 'v20^{commit}'))
  })
})
