import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type GitResult, git, tryGit } from '../git.ts'
import { commitFiles, forgeForStories, type Member, newWorkingCopy, story } from './forge.ts'
import { steps } from './steps.ts'

interface Pull {
  number: number
  title: string
  body: string
  state: string
  flow: number
  merged: boolean
  mergeable: boolean
  head: { label: string; ref: string; sha: string }
  base: { ref: string }
}

/** A pull request's life, as stock git and the API see it. */
story('a pull request', () => {
  const forge = forgeForStories()
  const copy = () => join(forge.directory, 'copy')
  // What the server calls itself.
  const site = () => forge.server.origin.replace('127.0.0.1', 'localhost')
  const here = (...args: string[]): Promise<string> => git(args, { cwd: copy() })
  const push = (as: Member, repository: string, ...args: string[]): Promise<GitResult> => {
    const options = args.filter((arg) => arg.startsWith('--') || arg.startsWith('-o'))
    return tryGit(['push', ...options, forge.url(repository, as), ...args.filter((arg) => !options.includes(arg))], { cwd: copy() })
  }
  const json = async <T = Pull>(line: string, as: Member, body?: unknown) => (await forge.api(line, as, body)).json() as Promise<T>
  const get = (number: number, repository = 'engine') => json(`GET /repos/ada/${repository}/pulls/${number}`, forge.ada)
  const timeline = async (number: number) =>
    (await json<{ type: string }[]>(`GET /repos/ada/engine/issues/${number}/timeline`, forge.ada)).map(({ type }) => type)
  const statusOf = async (line: string, as: Member, body?: unknown) => {
    const answer = await forge.api(line, as, body)
    await answer.arrayBuffer()
    return answer.status
  }
  let bob: Member
  let carol: Member

  beforeAll(async () => {
    bob = await forge.join('bob')
    await newWorkingCopy(copy())
    await commitFiles(copy(), 'Start', { 'README.md': '# Engine\n', 'list.txt': 'one\ntwo\nthree\n' })
    // Reviews are in a repository of their own: the numbers of pull requests belong to the one story of the other.
    for (const name of ['ada/engine', 'ada/reviews']) await here('push', '--quiet', '-o', 'repo.private=false', forge.url(name, forge.ada), 'main')
    carol = await forge.join('carol')
    await statusOf('PUT /repos/ada/reviews/collaborators/carol', forge.ada, { permission: 'write' })
  }, 120_000)

  test(
    'goes through its life',
    () =>
      steps({
        'is offered by the push of a branch, and its address is there to be opened': async () => {
          await here('checkout', '--quiet', '-b', 'offered')
          await commitFiles(copy(), 'Offer', { 'offered.txt': '1\n' })
          const { exitCode, stderr } = await push(forge.ada, 'ada/engine', 'offered')
          const [address = ''] = /http:\/\/\S+\/ada\/engine\/compare\/\S+/.exec(stderr) ?? []
          expect([exitCode, address]).toEqual([0, `${site()}/ada/engine/compare/main...offered`])
          const page = await fetch(address)
          expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('offered.txt')])
          await json('POST /repos/ada/engine/pulls', forge.ada, { title: 'Offered', head: 'offered', base: 'main' })
          await commitFiles(copy(), 'Offer more', { 'offered.txt': '2\n' })
          expect((await push(forge.ada, 'ada/engine', 'offered')).stderr).toContain(`${site()}/ada/engine/pulls/1`)
        },
        'comes from a fork, follows what is pushed there, and says when it was rewritten': async () => {
          expect(await statusOf('POST /repos/ada/engine/forks', bob, {})).toBe(202)
          await here('checkout', '--quiet', '-b', 'forked', 'main')
          const first = await commitFiles(copy(), 'First', { 'forked.txt': '1\n' })
          expect((await push(bob, 'bob/engine', 'forked')).exitCode).toBe(0)
          const opened = await json('POST /repos/ada/engine/pulls', bob, { title: 'Forked', head: 'bob:forked', base: 'main', allow_maintainer_edit: true })
          expect(opened).toMatchObject({ number: 2, mergeable: true, head: { sha: first } })
          const second = await commitFiles(copy(), 'Second', { 'forked.txt': '2\n' })
          await push(bob, 'bob/engine', 'forked')
          expect((await get(2)).head.sha).toBe(second)
          await here('commit', '--quiet', '--amend', '-m', 'Second, better')
          await push(bob, 'bob/engine', '--force', 'forked')
          expect((await get(2)).head.sha).toBe(await here('rev-parse', 'HEAD'))
          expect((await timeline(2)).filter((type) => type === 'pull_push')).toHaveLength(3)
          // What was there before can still be looked at.
          expect((await tryGit(['fetch', forge.url('ada/engine'), `refs/pull/2/versions/${second}`], { cwd: copy() })).exitCode).toBe(0)
        },
        'can be edited by who maintains what it goes into, on its branch and on no other': async () => {
          const edited = await commitFiles(copy(), 'A maintainer’s word', { 'forked.txt': '3\n' })
          expect(await push(forge.ada, 'bob/engine', 'HEAD:forked')).toMatchObject({ exitCode: 0 })
          expect((await get(2)).head.sha).toBe(edited)
          expect((await push(forge.ada, 'bob/engine', 'HEAD:main')).exitCode).not.toBe(0)
          await json('PATCH /repos/ada/engine/pulls/2', bob, { allow_maintainer_edit: false })
          await commitFiles(copy(), 'One more', { 'forked.txt': '4\n' })
          expect((await push(forge.ada, 'bob/engine', 'HEAD:forked')).exitCode).not.toBe(0)
          expect((await get(2)).head.sha).toBe(edited)
        },
        'is fetched by its head and by what merging it would come to, in both versions of the protocol, and is not pushed to': async () => {
          for (const version of ['0', '2']) {
            const clone = join(forge.directory, `clone-${version}`)
            const talk = ['-c', `protocol.version=${version}`]
            await git([...talk, 'clone', '--quiet', forge.url('ada/engine'), clone])
            const { head } = await get(2)
            await git([...talk, 'fetch', '--quiet', forge.url('ada/engine'), 'refs/pull/2/head:head', 'refs/pull/2/merge:merge'], { cwd: clone })
            expect(await git(['rev-parse', 'head', 'merge^1', 'merge^2'], { cwd: clone })).toBe(
              [head.sha, await here('rev-parse', 'main'), head.sha].join('\n'),
            )
            const tree = await here('merge-tree', '--write-tree', 'main', head.sha)
            expect(await git(['rev-parse', 'merge^{tree}'], { cwd: clone })).toBe(tree)
            const { stderr } = await tryGit([...talk, 'push', '--force', forge.url('ada/engine', forge.ada), 'main:refs/pull/2/head', ':refs/pull/2/merge'], {
              cwd: clone,
            })
            expect(stderr.match(/refs with this name are managed by the server/g)).toHaveLength(2)
          }
        },
        'outlives its fork': async () => {
          const { head } = await get(2)
          expect(await statusOf('DELETE /repos/bob/engine', bob)).toBe(204)
          expect(await get(2)).toMatchObject({ state: 'closed', merged: false, head: { ref: 'refs/pull/2/head', sha: head.sha } })
          expect(await statusOf('GET /repos/ada/engine/pulls/2/files', forge.ada)).toBe(200)
          expect((await tryGit(['fetch', forge.url('ada/engine'), 'refs/pull/2/head'], { cwd: copy() })).exitCode).toBe(0)
        },
        'is made by a push alone, by who can only read': async () => {
          await here('checkout', '--quiet', '-b', 'agit', 'main')
          await commitFiles(copy(), 'Propose', { 'agit.txt': '1\n' })
          const opened = await push(bob, 'ada/engine', '-otopic=speed', '-otitle=Speed it up', '-odescription=Much faster', 'HEAD:refs/for/main')
          expect(opened).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`${site()}/ada/engine/pulls/3`) })
          expect(await get(3)).toMatchObject({ title: 'Speed it up', body: 'Much faster', flow: 1, head: { label: '', ref: 'refs/pull/3/head' } })
          await here('commit', '--quiet', '--amend', '-m', 'Propose better')
          expect(await push(bob, 'ada/engine', 'HEAD:refs/for/main/speed')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('force-push') })
          expect((await push(bob, 'ada/engine', '-oforce-push', 'HEAD:refs/for/main/speed')).exitCode).toBe(0)
          expect((await get(3)).head.sha).toBe(await here('rev-parse', 'HEAD'))
        },
        'gets the base of the pull request whose branch it targets when that is merged and deleted, also from a fork': async () => {
          await here('checkout', '--quiet', '-b', 'parent', 'main')
          await commitFiles(copy(), 'Parent', { 'parent.txt': '1\n' })
          await here('branch', 'outside-base')
          await here('checkout', '--quiet', '-b', 'child')
          await commitFiles(copy(), 'Child', { 'child.txt': '1\n' })
          await push(forge.ada, 'ada/engine', 'parent', 'child')
          await statusOf('POST /repos/ada/engine/forks', bob, { name: 'again' })
          await push(bob, 'bob/again', 'child:outside')
          const open = async (as: Member, head: string, base: string) => (await json('POST /repos/ada/engine/pulls', as, { title: head, head, base })).number
          const parent = await open(forge.ada, 'parent', 'main')
          const child = await open(forge.ada, 'child', 'parent')
          const outside = await open(bob, 'bob/again:outside', 'parent')
          expect(await statusOf(`POST /repos/ada/engine/pulls/${parent}/merge`, forge.ada, { Do: 'merge', delete_branch_after_merge: true })).toBe(200)
          for (const number of [child, outside]) {
            expect(await get(number)).toMatchObject({ state: 'open', base: { ref: 'main' } })
            expect(await timeline(number)).toContain('change_target_branch')
          }
        },
      }),
    120_000,
  )

  test('knows which approvals are of what is there now: one rule dismisses the others, one does not count them', async () => {
    const rules = '/repos/ada/reviews/branch_protections'
    for (const [branch, terms] of [
      ['dismissing', { dismiss_stale_approvals: true }],
      ['ignoring', { ignore_stale_approvals: true }],
      ['trusting', {}],
    ] as const) {
      await push(forge.ada, 'ada/reviews', `main:${branch}`)
      expect(await statusOf(`POST ${rules}`, forge.ada, { rule_name: branch, required_approvals: 1, ...terms })).toBe(201)
      await here('checkout', '--quiet', '-B', `into-${branch}`, 'main')
      await commitFiles(copy(), branch, { [`${branch}.txt`]: '1\n' })
      await push(forge.ada, 'ada/reviews', `into-${branch}`)
      const { number } = await json('POST /repos/ada/reviews/pulls', forge.ada, { title: branch, head: `into-${branch}`, base: branch })
      const { id } = await json<{ id: number }>(`POST /repos/ada/reviews/pulls/${number}/reviews`, carol, { event: 'APPROVED' })
      await commitFiles(copy(), `${branch} again`, { [`${branch}.txt`]: '2\n' })
      await push(forge.ada, 'ada/reviews', `into-${branch}`)
      const review = await json(`GET /repos/ada/reviews/pulls/${number}/reviews/${id}`, forge.ada)
      expect([branch, review]).toMatchObject([branch, { stale: true, dismissed: branch === 'dismissing', official: true }])
      const status = await statusOf(`POST /repos/ada/reviews/pulls/${number}/merge`, forge.ada, { Do: 'merge' })
      expect([branch, status]).toEqual([branch, branch === 'trusting' ? 200 : 405])
      if (branch === 'trusting') continue
      await statusOf(`POST /repos/ada/reviews/pulls/${number}/reviews`, carol, { event: 'APPROVED' })
      expect(await statusOf(`POST /repos/ada/reviews/pulls/${number}/merge`, forge.ada, { Do: 'merge' })).toBe(200)
    }
  })

  test('keeps no approval that the rule of another base does not count', async () => {
    const rule = { rule_name: 'strict', required_approvals: 1, enable_approvals_whitelist: true, approvals_whitelist_username: ['ada'] }
    await push(forge.ada, 'ada/reviews', 'main:strict', 'main:loose')
    expect(await statusOf('POST /repos/ada/reviews/branch_protections', forge.ada, rule)).toBe(201)
    await here('checkout', '--quiet', '-B', 'moved', 'main')
    await commitFiles(copy(), 'Moved', { 'moved.txt': '1\n' })
    await push(forge.ada, 'ada/reviews', 'moved')
    const { number } = await json('POST /repos/ada/reviews/pulls', forge.ada, { title: 'Moved', head: 'moved', base: 'loose' })
    const approval = await json<object>(`POST /repos/ada/reviews/pulls/${number}/reviews`, carol, { event: 'APPROVED' })
    expect(approval).toMatchObject({ official: true })
    expect(await statusOf(`PATCH /repos/ada/reviews/pulls/${number}`, forge.ada, { base: 'strict' })).toBe(201)
    const refused = await json<object>(`POST /repos/ada/reviews/pulls/${number}/merge`, forge.ada, { Do: 'merge' })
    expect(refused).toMatchObject({ message: expect.stringContaining('Does not have enough approvals') })
    expect(await get(number, 'reviews')).toMatchObject({ merged: false })
  })

  test('has a review that a comment joins, even while it is empty', async () => {
    await here('checkout', '--quiet', '-b', 'reviewed', 'main')
    await commitFiles(copy(), 'To review', { 'list.txt': 'one\ntwo, too\nthree\n' })
    await push(forge.ada, 'ada/reviews', 'reviewed')
    const { number } = await json('POST /repos/ada/reviews/pulls', forge.ada, { title: 'Reviewed', head: 'reviewed', base: 'main' })
    const reviews = `/repos/ada/reviews/pulls/${number}/reviews`
    for (const event of ['APPROVED', 'PENDING']) {
      const made = await json<{ id: number; comments_count: number }>(`POST ${reviews}`, carol, { event, body: event === 'PENDING' ? 'Soon' : '' })
      expect(made.comments_count).toBe(0)
      const comment = { path: 'list.txt', body: 'Why?', new_position: 2 }
      expect(await json<object>(`POST ${reviews}/${made.id}/comments`, carol, comment)).toMatchObject({ body: 'Why?', pull_request_review_id: made.id })
      expect(await json<object>(`GET ${reviews}/${made.id}`, carol)).toMatchObject({ state: event, comments_count: 1 })
    }
    expect(await json<unknown[]>(`GET ${reviews}`, carol)).toHaveLength(2)
  })
})
