import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../../test/git.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { browseTasks } from '../workers/browse-tasks.ts'
import { OpenRepo } from '../workers/open-repos.ts'

let path = ''
beforeAll(async () => {
  path = mkdtempSync(join(tmpdir(), 'pf-'))
  await git(['init', '-q', '-b', 'main', path])
  const commit = (message: string) => git(['commit', '-q', '--allow-empty', '-m', message], { cwd: path })
  await commit('one')
  await commit('two')
  for (const branch of ['left', 'right']) {
    await git(['checkout', '-q', '-b', branch, 'main'], { cwd: path })
    await commit(`${branch} one`)
    await commit(`${branch} two`)
  }
  await git(['branch', 'twin', 'right'], { cwd: path })
})
afterAll(() => rmSync(path, { recursive: true, force: true }))

async function messages(pushed: { name: string; before?: string; bringsAll?: boolean }[], limit = 10) {
  const listed = await git(['for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads'], { cwd: path })
  const others = listed.split('\n').map((line) => ({ name: line.split(' ')[0] as string, oid: line.split(' ')[1] as Oid }))
  const oidOf = (name: string) => others.find((ref) => ref.name === name)?.oid ?? ('a'.repeat(40) as Oid)
  const lists = await browseTasks.listPushed(new OpenRepo({ path: join(path, '.git'), limits: defaultLimits }), {
    pushed: pushed.map(({ name, before, bringsAll }) => ({ name, before: before === undefined ? undefined : oidOf(before), after: oidOf(name), bringsAll })),
    others: others.map(({ name, oid }) => `${oid} ${name}`).join('\n'),
    limit,
  })
  return lists.map((commits) => commits?.map(({ commit }) => commit.message.trim()))
}

test('a new branch brings what no other has, one that was there what it had not, and what is gone tells nothing', async () => {
  expect(await messages([{ name: 'left' }, { name: 'right' }, { name: 'right', before: 'main' }, { name: 'gone' }, { name: 'main' }])).toEqual([
    ['left two', 'left one'],
    [],
    ['right two', 'right one'],
    undefined,
    [],
  ])
})

test('the first push of a default branch brings all of it, and of many commits the newest are listed', async () => {
  expect(await messages([{ name: 'main', bringsAll: true }])).toEqual([['two', 'one']])
  expect(await messages([{ name: 'right', before: 'main' }], 1)).toEqual([['right two']])
})
