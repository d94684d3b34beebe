import { beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GitResult, git, tryGit } from '../git.ts'
import { commitFiles, forgeForStories, type Member, newWorkingCopy, story } from './forge.ts'
import { steps } from './steps.ts'

/** What stock git is told in its terminal, and what it finds afterwards. */
story('branches are moved as their rules say', () => {
  const forge = forgeForStories()
  const copy = () => join(forge.directory, 'copy')
  const rules = '/repos/ada/engine/branch_protections'
  let bob: Member
  const push = (as: Member, ...args: string[]): Promise<GitResult> =>
    tryGit(['push', ...args.slice(0, -1), forge.url('ada/engine', as), ...(args.at(-1) as string).split(' ')], { cwd: copy() })
  const remote = async (branch: string): Promise<string | undefined> =>
    (await git(['ls-remote', forge.url('ada/engine', forge.ada), `refs/heads/${branch}`])).split('\t')[0] || undefined
  const protect = async (body: object): Promise<void> => {
    expect((await forge.api(`POST ${rules}`, forge.ada, body)).status).toBe(201)
  }
  const refused = (because: string) => ({ exitCode: 1, stderr: expect.stringContaining(because) })

  beforeAll(async () => {
    bob = await forge.join('bob')
    await newWorkingCopy(copy())
    await commitFiles(copy(), 'Start', { 'README.md': '# Engine\n' })
    await git(['push', '--quiet', forge.url('ada/engine', forge.ada), 'main', 'main:release/1/fixes'], { cwd: copy() })
    await forge.api('PUT /repos/ada/engine/collaborators/bob', forge.ada, { permission: 'write' })
  }, 120_000)

  test(
    'branches move where no rule is against it',
    () =>
      steps({
        'a push, a forced one, a deletion and a new branch are refused with the name of the rule, and nothing is stored': async () => {
          await protect({ rule_name: 'release/**', enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['ada'] })
          const before = await remote('release/1/fixes')
          await commitFiles(copy(), 'More', { 'src/a.ts': 'a\n' })
          const told = (reason: string) => refused(`${reason} (branch protection "release/**")`)
          expect(await push(bob, 'main:release/1/fixes')).toMatchObject(told('Not allowed to push to protected branch release/1/fixes'))
          expect(await push(bob, 'main:release/2')).toMatchObject(told('Not allowed to push to protected branch release/2'))
          expect(await push(bob, ':release/1/fixes')).toMatchObject(told('branch release/1/fixes is protected from deletion'))
          expect(await remote('release/1/fixes')).toBe(before)
          expect(await push(forge.ada, 'main:release/1/fixes')).toMatchObject({ exitCode: 0 })
          await git(['checkout', '--quiet', '--orphan', 'other'], { cwd: copy() })
          await git(['commit', '--quiet', '-m', 'Other'], { cwd: copy() })
          expect(await push(forge.ada, '--force', 'other:release/1/fixes')).toMatchObject(told('branch release/1/fixes is protected from force push'))
          await git(['checkout', '--quiet', 'main'], { cwd: copy() })
        },
        'of one push the branches that no rule is about move': async () => {
          const { exitCode, stderr } = await push(bob, 'main:release/3 main:free')
          expect([exitCode, stderr]).toEqual([1, expect.stringContaining('[new branch]')])
          expect([await remote('release/3'), await remote('free')]).toEqual([undefined, await git(['rev-parse', 'main'], { cwd: copy() })])
          expect(await push(bob, '--atomic', 'main:release/3 main:freer')).toMatchObject({ exitCode: 1 })
          expect(await remote('freer')).toBeUndefined()
        },
        'protected files are looked for in what is pushed, a change that is still on its way included': async () => {
          await protect({ rule_name: 'main', enable_push: true, protected_file_patterns: 'ci/**; *.lock', priority: 1 })
          await commitFiles(copy(), 'Harmless', { 'src/b.ts': 'b\n' })
          expect(await push(bob, 'main')).toMatchObject({ exitCode: 0 })
          const tip = await remote('main')
          await commitFiles(copy(), 'Release it all', { 'src/c.ts': 'c\n', 'ci/deploy/prod.yml': 'x\n' })
          const because = 'branch main is protected from changing file ci/deploy/prod.yml (branch protection "main")'
          expect(await push(bob, 'main')).toMatchObject(refused(because))
          expect(await push(forge.ada, 'main')).toMatchObject(refused(because))
          expect(await remote('main')).toBe(tip)
          await git(['reset', '--hard', '--quiet', tip as string], { cwd: copy() })
        },
      }),
    120_000,
  )

  test.skipIf(Bun.which('ssh-keygen') === null)('where commits must be signed, those of a known key land and others do not', async () => {
    await protect({ rule_name: 'signed', enable_push: true, require_signed_commits: true })
    const key = join(forge.directory, 'key')
    Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key])
    const signing = ['-c', 'gpg.format=ssh', '-c', `user.signingKey=${key}`, 'commit', '--quiet', '--allow-empty', '-S', '-m', 'signed']
    await git(signing, { cwd: copy() })
    const first = await git(['rev-parse', 'HEAD'], { cwd: copy() })
    expect(await push(bob, 'main:signed')).toMatchObject(refused(`branch signed is protected from unverified commit ${first} (branch protection "signed")`))
    await forge.api('POST /user/keys', forge.ada, { title: 'laptop', key: readFileSync(`${key}.pub`, 'utf8') })
    expect(await push(bob, 'main:signed')).toMatchObject({ exitCode: 0 })
    const unsigned = await commitFiles(copy(), 'Unsigned', { 'src/d.ts': 'd\n' })
    await git(signing, { cwd: copy() })
    expect(await push(bob, 'main:signed')).toMatchObject(refused(`from unverified commit ${unsigned}`))
    expect(await remote('signed')).toBe(first)
  })
})
