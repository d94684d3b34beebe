import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const answers: [path: string, body: unknown][] = [
  ['/version', { version: expect.stringMatching(/^1\.24\.7\+pocketforge-\d+\.\d+\.\d+/) }],
  [
    '/settings/api',
    {
      max_response_items: 50,
      default_paging_num: 30,
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10_485_760,
      default_max_response_size: 104_857_600,
    },
  ],
  ['/settings/ui', { default_theme: 'gitea-auto', allowed_reactions: expect.arrayContaining(['+1', 'heart']), custom_emojis: [] }],
  [
    '/settings/repository',
    {
      ...{ mirrors_disabled: true, http_git_disabled: false, migrations_disabled: true, lfs_disabled: true },
      ...{ stars_disabled: false, time_tracking_disabled: false, forks_disabled: false },
    },
  ],
  ['/settings/attachment', { enabled: true, allowed_types: expect.stringContaining('.png,.'), max_size: 2048, max_files: 50 }],
]

test.each(answers)('%s is told to everyone', async (path, body) => {
  await using forge = testForge()
  const reply = await forge.get(path)
  expect([reply.status, reply.body]).toEqual([200, body as Record<string, unknown>])
})

test('what the configuration changes is told', async () => {
  await using forge = testForge({
    ...{ repository: { DISABLE_HTTP_GIT: true }, service: { ENABLE_TIMETRACKING: false }, attachment: { ENABLED: false, MAX_SIZE: 7 } },
    ...{ api: { MAX_RESPONSE_ITEMS: 100 }, ui: { REACTIONS: ['heart'] } },
  })
  expect((await forge.get('/settings/repository')).body).toMatchObject({ http_git_disabled: true, time_tracking_disabled: true })
  expect((await forge.get('/settings/attachment')).body).toMatchObject({ enabled: false, max_size: 7 })
  expect((await forge.get('/settings/api')).body.max_response_items).toBe(100)
  expect((await forge.get('/settings/ui')).body.allowed_reactions).toEqual(['heart'])
})

test('probes are answered to everyone, even where signing in is required', async () => {
  await using forge = testForge({ service: { REQUIRE_SIGNIN_VIEW: true } })
  const ask = async (path: string) => (await forge.app.handle(new Request(`http://localhost${path}`))).json()
  expect(await ask('/api/healthz')).toMatchObject({ status: 'pass', checks: { 'database:ping': [{ status: 'pass' }] } })
  expect(await ask('/api/forgejo/v1/version')).toEqual({ version: expect.stringMatching(/^1\.24\.7\+pocketforge-/) })
})

test('no token is too narrow to ask what the server is and has', async () => {
  await using forge = testForge()
  const narrow = forge.token(await forge.person('ada'), 'read:repository')
  for (const path of ['/version', '/settings/api', '/licenses', '/gitignore/templates', '/label/templates', '/signing-key.gpg']) {
    expect([path, (await forge.asUser(narrow).get(path)).status]).toEqual([path, path === '/signing-key.gpg' ? 404 : 200])
  }
  expect((await forge.asUser(narrow).post('/markdown', { Text: 'x' })).status).toBe(200)
})
