import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { certificate } from '#people/sources/certificate.fixture.ts'
import { hasSlapd, type Slapd, startSlapd, suffix } from '#people/sources/ldap/slapd.fixture.ts'
import { runBinary } from '../binary.ts'
import { eventually } from '../eventually.ts'
import { tryGit } from '../git.ts'
import { commitFiles, enlist, forgeForStories, newWorkingCopy, story } from './forge.ts'
import { steps } from './steps.ts'

describe.skipIf(!hasSlapd)('slapd', () => {
  story('people of a directory', () => {
    const forge = forgeForStories()
    let slapd: Slapd
    beforeAll(async () => {
      slapd = await startSlapd()
      await slapd.person('grace', { givenName: 'Grace', sn: 'Hopper' })
      await slapd.person('bob')
    })
    afterAll(() => slapd?.[Symbol.asyncDispose]())

    const auth = (...args: string[]) => runBinary(['admin', 'auth', ...args, '--data', forge.server.data])
    const push = (name: string, password: string, directory: string) => {
      const url = new URL(`${forge.server.origin}/${name}/first.git`)
      Object.assign(url, { username: name, password: encodeURIComponent(password) })
      return tryGit(['push', '--quiet', url.href, 'main'], { cwd: directory })
    }

    test(
      'sign in and get accounts by the directory',
      () =>
        steps({
          'the command line sets the directory up while the server runs, and tries it': async () => {
            await Bun.write(join(forge.directory, 'secret'), 'searcher password\n')
            await Bun.write(join(forge.directory, 'ca.pem'), certificate)
            const where = [
              '--host',
              '127.0.0.1',
              '--port',
              String(slapd.port),
              '--security-protocol',
              'StartTLS',
              '--tls-ca-file',
              join(forge.directory, 'ca.pem'),
            ]
            const whom = ['--user-search-base', `ou=people,${suffix}`, '--user-filter', '(uid=%s)', '--username-attribute', 'uid', '--email-attribute', 'mail']
            const reader = ['--bind-dn', `cn=searcher,${suffix}`, '--bind-password-file', join(forge.directory, 'secret')]
            const added = await auth('add', 'ldap', '--name', 'corp', ...where, ...whom, ...reader, '--synchronize-users')
            expect([added.exitCode, added.stderr]).toEqual([0, ''])
            const tried = await auth('test', '--id', '1')
            expect([tried.exitCode, tried.stdout.trim()]).toEqual([0, 'Connected to the server and found user_search_base.'])
          },

          'git pushes with the password that the directory has, and with no other': async () => {
            const copy = await newWorkingCopy(join(forge.directory, 'copy'))
            await commitFiles(copy, 'Begin', { 'a.txt': 'a' })
            const refused = await push('grace', 'wrong', copy)
            expect(refused.exitCode).not.toBe(0)
            expect(await push('grace', 'grace password', copy)).toMatchObject({ exitCode: 0 })
            expect(await (await forge.api('GET /users/grace')).json()).toMatchObject({ login: 'grace' })
            rmSync(copy, { recursive: true })
          },

          'the synchronization makes the others their accounts': async () => {
            const boss = await enlist(forge.server, 'boss', '--admin')
            expect((await forge.api('POST /admin/cron/sync_external_users', boss)).status).toBe(204)
            await eventually(async () => (await forge.api('GET /users/bob')).status === 200)
          },
        }),
      120_000,
    )
  })
})

describe.skipIf(process.platform !== 'linux')('PAM', () => {
  story('PAM of the machine that serves', () => {
    const forge = forgeForStories()

    test('is asked by the executable, on a thread of its own', async () => {
      const options = ['--data', forge.server.data]
      expect((await runBinary(['admin', 'auth', 'add', 'pam', '--name', 'machine', '--service-name', 'pocketforge-story', ...options])).exitCode).toBe(0)
      const tried = await runBinary(['admin', 'auth', 'test', '--id', '1', '--username', 'nobody-here', '--password-file', '/etc/hostname', ...options])
      // A machine without that service asks "other", which lets nobody in, or says that there is none.
      expect([tried.exitCode, tried.stdout]).toEqual([1, expect.stringMatching(/sign-in was rejected|service file "pocketforge-story" exists|libpam/)])
    }, 120_000)
  })
})
