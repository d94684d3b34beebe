import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testsInOrder } from '../../test/in-order.ts'
import { dataDirectory } from './data-directory.ts'
import { generatePassword } from './generate-password.ts'
import { runCommand } from './program.ts'
import { printable, table } from './terminal.ts'

/** All tests use one store; each goes on from what those before it left. */
const test = testsInOrder()

let data: string
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'pf-'))
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

/** Runs a command line on a store of this file's own. */
async function run(...argv: string[]): Promise<{ code: number; printed: string; warned: string }> {
  const lines = { printed: [] as string[], warned: [] as string[] }
  const out = { print: (text: string) => void lines.printed.push(text), warn: (text: string) => void lines.warned.push(text), isPretty: false }
  const code = await runCommand(argv, { POCKETFORGE_DATA: data }, out)
  return { code, printed: lines.printed.join('\n'), warned: lines.warned.join('\n') }
}

describe('the command line', () => {
  test.each([
    [['--help'], 'Usage: pocketforge'],
    [['serve', '--help'], 'pocketforge serve --data ./forge'],
    [['admin', '--help'], 'user'],
    [['admin', 'user', '--help'], 'change-password'],
    [['admin', 'user', 'create', '--help'], '--must-change-password'],
    [['admin', 'badge', 'add', '--help'], '--image-url'],
    [['doctor', '--help'], '--repair'],
    [['help'], 'Usage: pocketforge'],
    [['help', 'doctor'], '--repair'],
  ])('%j explains itself on standard output', async (argv, text) => {
    expect(await run(...argv)).toMatchObject({ code: 0, printed: expect.stringContaining(text), warned: '' })
  })

  test.each([
    [['serv'], 'serve'],
    [['serve', '--prot', '1'], '--port'],
    [['--port', 'high'], 'Expected a whole number from 0 to 65535'],
    [['serve', '--port', '65536'], 'Expected a whole number from 0 to 65535'],
    [['admin', 'user', 'create', '--username', 'ada'], '--email'],
  ])('%j is not understood: exit code 2, and what would have been right', async (argv, text) => {
    expect(await run(...argv)).toMatchObject({ code: 2, printed: '', warned: expect.stringContaining(text) })
  })

  test('--version and version print the version alone', async () => {
    const { printed } = await run('version')
    expect(printed).toMatch(/^\d+\.\d+\.\d+$/)
    expect((await run('--version')).printed).toBe(printed)
  })

  test('licenses name every package and its terms, with --full their texts', async () => {
    expect((await run('licenses')).printed).toMatch(/^openpgp +\d+\.\d+\.\d+ +LGPL-3\.0\+$/m)
    expect((await run('licenses', '--full')).printed).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
    expect((await run('licenses', '--full')).printed).toContain('Copyright (c) 2017 GitHub, Inc.')
    const names = JSON.parse((await run('licenses', '--json')).printed).map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['elysia', 'openpgp', 'memoirist']))
  })
})

describe('admin user', () => {
  test('create --access-token --quiet prints the token and nothing else', async () => {
    const { code, printed } = await run(
      'admin',
      'user',
      'create',
      '--username',
      'bot',
      '--email',
      'bot@example.org',
      '--access-token',
      '--scopes',
      'read:user',
      '--quiet',
    )
    expect({ code, printed }).toEqual({ code: 0, printed: expect.stringMatching(/^[0-9a-f]{40}$/) })
  })

  test('create --access-token-name names the token, and creates no account for a token that cannot be made', async () => {
    const own = join(data, 'tokens')
    const create = (name: string, ...more: string[]) =>
      run('admin', 'user', 'create', '--data', own, '--username', name, '--email', `${name}@example.org`, ...more)
    expect(await create('named', '--access-token', '--access-token-name', 'ci runner')).toMatchObject({ code: 0 })
    expect((await create('unnamed', '--access-token')).code).toBe(0)
    expect((await create('nobody', '--access-token-name', 'ci')).warned).toContain('--access-token')
    for (const wrong of ['', 'x'.repeat(256)]) expect((await create('nobody', '--access-token', '--access-token-name', wrong)).code).toBe(2)
    expect((await create('nobody', '--access-token', '--scopes', 'none')).code).toBe(1)
    using db = new Database(join(own, 'pocketforge.db'))
    const tokens = db.query('SELECT user.name AS holder, access_token.name FROM user JOIN access_token ON user_id = user.id').values()
    expect(tokens).toEqual(
      expect.arrayContaining([
        ['named', 'ci runner'],
        ['unnamed', 'command line'],
      ]),
    )
    expect(db.query("SELECT 1 FROM user WHERE name = 'nobody'").values()).toEqual([])
  })

  test('create without a password makes one up and shows it', async () => {
    const { printed } = await run('admin', 'user', 'create', '--username', 'ada', '--email', 'ada@example.org', '--admin')
    expect(printed).toMatch(/password {2}[a-z2-9]{5}(-[a-z2-9]{5}){3}/)
  })

  test('a name that is taken is refused in one line', async () => {
    expect(await run('admin', 'user', 'create', '--username', 'ADA', '--email', 'other@example.org')).toEqual({
      code: 1,
      printed: '',
      warned: 'user already exists [name: ADA]',
    })
  })

  test('list shows everyone, as a table and as JSON', async () => {
    expect((await run('admin', 'user', 'list')).printed).toMatch(/^ID +USERNAME[\s\S]+ada +ada@example.org +administrator/)
    const users = JSON.parse((await run('admin', 'user', 'list', '--json')).printed) as { login: string; email: string }[]
    expect(users.map(({ login, email }) => [login, email])).toEqual([
      ['ada', 'ada@example.org'],
      ['bot', 'bot@example.org'],
    ])
  })

  test('change-password and delete say whom they changed, and refuse whom nobody knows', async () => {
    expect((await run('admin', 'user', 'change-password', '--username', 'bot', '--password', 'a new password')).printed).toBe('Changed the password of bot.')
    expect((await run('admin', 'user', 'reset-mfa', '--username', 'bot')).printed).toBe('Nothing to do: bot does not use two-factor authentication.')
    expect(await run('admin', 'user', 'disable-2fa', '--username', 'nobody')).toMatchObject({ code: 1, warned: expect.stringContaining('nobody') })
    expect((await run('admin', 'user', 'delete', '--username', 'bot')).printed).toBe('Deleted user bot.')
    expect(await run('admin', 'user', 'delete', '--username', 'bot')).toMatchObject({
      code: 1,
      warned: expect.stringContaining('Cannot find user "bot"'),
    })
  })

  test('the last administrator is kept', async () => {
    expect(await run('admin', 'user', 'delete', '--username', 'ada')).toMatchObject({ code: 1, warned: expect.stringContaining('last admin') })
  })
})

describe('admin badge', () => {
  const list = async () => JSON.parse((await run('admin', 'badge', 'list', '--json')).printed) as Record<string, unknown>[]

  test('add makes one, which list shows as a table and as JSON', async () => {
    const { code, printed } = await run(
      'admin',
      'badge',
      'add',
      '--slug',
      'care',
      '--description',
      'Took care',
      '--image-url',
      'https://pictures.example/care.png',
    )
    expect({ code, printed }).toEqual({ code: 0, printed: 'Created badge "care".' })
    expect((await run('admin', 'badge', 'list')).printed).toBe('SLUG  DESCRIPTION  IMAGE URL\ncare  Took care    https://pictures.example/care.png')
    expect(await list()).toEqual([{ id: 1, slug: 'care', description: 'Took care', image_url: 'https://pictures.example/care.png' }])
  })

  test.each([
    [['--slug', 'care'], 'badge already exists [slug: care]'],
    [['--slug', 'Very Kind'], 'Invalid slug "Very Kind"'],
    [['--slug', 'kind', '--image-url', 'kind.png'], 'Invalid image URL "kind.png"'],
  ])('add %j is refused, and makes none', async (options, warning) => {
    expect(await run('admin', 'badge', 'add', ...options)).toMatchObject({ code: 1, printed: '', warned: expect.stringContaining(warning) })
    expect((await list()).map(({ slug }) => slug)).toEqual(['care'])
  })

  test('remove takes it away, once', async () => {
    expect((await run('admin', 'badge', 'remove', '--slug', 'care')).printed).toBe('Deleted badge "care" and removed it from all users.')
    expect(await run('admin', 'badge', 'remove', '--slug', 'care')).toMatchObject({ code: 1, warned: 'badge does not exist [slug: care]' })
    expect(await list()).toEqual([])
  })
})

describe('admin name', () => {
  const list = async () => JSON.parse((await run('admin', 'name', 'list', '--json')).printed) as Record<string, unknown>[]
  const create = (username: string, email: string) => run('admin', 'user', 'create', '--username', username, '--email', email)

  test('list shows what deleted accounts left, as a table and as JSON', async () => {
    expect((await run('admin', 'name', 'list')).printed).toMatch(
      /^NAME +REASON +REDIRECTS TO +SINCE +EMAIL ADDRESSES\nbot +deleted +\d{4}-\d\d-\d\d +bot@example.org$/,
    )
    expect(await list()).toEqual([
      { name: 'bot', reason: 'deleted', leads_to: null, since: expect.stringMatching(/^\d{4}-.*Z$/), addresses: ['bot@example.org'] },
    ])
  })

  test('a name that is released can be taken again, and its addresses', async () => {
    expect(await create('robot', 'bot@example.org')).toMatchObject({ code: 1, warned: 'e-mail is reserved [email: bot@example.org]' })
    expect((await run('admin', 'name', 'release', '--name', 'Bot')).printed).toBe('Released the name "bot" and the email addresses bot@example.org.')
    expect(await run('admin', 'name', 'release', '--name', 'bot')).toMatchObject({ code: 1, warned: '"bot" is not a reserved name' })
    expect((await create('bot', 'bot@example.org')).code).toBe(0)
  })

  test('create can use the name of a deleted account', async () => {
    await run('admin', 'user', 'delete', '--username', 'bot')
    expect((await list()).map(({ name }) => name)).toEqual(['bot'])
    expect((await create('bot', 'bot@example.org')).code).toBe(0)
    expect(await list()).toEqual([])
  })

  test('a name that is blocked can be taken by nobody, until it is released', async () => {
    expect((await run('admin', 'name', 'block', '--name', 'Acme')).printed).toBe('Reserved the name "acme".')
    expect(await create('ACME', 'acme@example.org')).toMatchObject({ code: 1, warned: 'name is reserved [name: ACME]' })
    expect((await list()).map(({ name, reason }) => [name, reason])).toEqual([['acme', 'blocked']])
    expect((await run('admin', 'name', 'release', '--name', 'acme')).printed).toBe('Released the name "acme".')
    expect((await create('acme', 'acme@example.org')).code).toBe(0)
  })

  test.each([
    ['acme', 'user already exists [name: acme]'],
    ['a b', 'name is invalid [a b]'],
  ])('block %p is refused', async (name, warning) => {
    expect(await run('admin', 'name', 'block', '--name', name)).toMatchObject({ code: 1, printed: '', warned: expect.stringContaining(warning) })
    expect(await list()).toEqual([])
  })
})

/** What is missing holds content, and nothing of what says where all else is. */
function cutBehindTables(file: string): void {
  const db = new Database(file)
  db.run('CREATE TABLE last (content BLOB)')
  db.run('INSERT INTO last VALUES (zeroblob(100000))')
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  truncateSync(file, statSync(file).size - 4096)
}

describe('the data directory', () => {
  test.each([
    [['admin', 'user', 'list']],
    [['admin', 'user', 'delete', '--username', 'ada']],
    [['admin', 'badge', 'list']],
    [['admin', 'name', 'release', '--name', 'ada']],
    [['admin', 'auth', 'list']],
    [['doctor']],
  ])('%j makes none where it is mistyped', async (argv) => {
    const mistyped = join(data, 'mistyped')
    expect(await run(...argv, '--data', mistyped)).toMatchObject({
      code: 1,
      printed: '',
      warned: expect.stringContaining(`${mistyped}: it does not contain pocketforge.db`),
    })
    expect(existsSync(mistyped)).toBe(false)
  })

  test.each([
    ['cut', cutBehindTables, /The file is truncated: \d+ of \d+ bytes\. \d+ of its \d+ tables can be read completely/],
    ['overwritten', (file: string) => writeFileSync(file, 'x'.repeat(5000)), /The file \(5000 bytes\) is not an SQLite database/],
  ])('doctor says of a database that was %s what is left of it, and what to do', async (_, damage, told) => {
    const spoilt = join(data, 'spoilt')
    await run('admin', 'user', 'create', '--username', 'ada', '--email', 'a@example.org', '--data', spoilt)
    rmSync(join(spoilt, 'pocketforge.db-wal'), { force: true })
    damage(join(spoilt, 'pocketforge.db'))
    const { code, warned } = await run('doctor', '--data', spoilt)
    rmSync(spoilt, { recursive: true })
    expect(code).toBe(1)
    expect(warned).toMatch(told)
    expect(warned).toContain('restore the latest backup')
    expect(warned).not.toContain('Check the disk')
  })

  test('one that is a file is said to be one', async () => {
    const file = join(data, 'file')
    await Bun.write(file, '')
    expect(await run('serve', '--port', '0', '--data', file)).toMatchObject({ code: 1, warned: expect.stringContaining('as the data directory: it is a file') })
  })

  test('a start that cannot listen makes no administrator, whose password nobody would have seen', async () => {
    const late = join(data, 'late')
    expect(await run('serve', '--host', 'no address', '--port', '0', '--data', late)).toMatchObject({ code: 1, warned: expect.stringContaining('no address') })
    expect((await run('admin', 'user', 'list', '--data', late)).printed).not.toContain('admin')
  })

  test.each([
    ['linux', { XDG_DATA_HOME: '/x' }, '/x/pocketforge'],
    ['linux', {}, /\/\.local\/share\/pocketforge$/],
    ['darwin', {}, /\/Library\/Application Support\/Pocketforge$/],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/Pocketforge'],
    ['linux', { POCKETFORGE_DATA: '/named', XDG_DATA_HOME: '/x' }, '/named'],
  ])('on %s with %j is the place for application data', (platform, environment, expected) => {
    expect(dataDirectory(undefined, environment, platform)).toMatch(expected)
  })

  test('--data wins over everything', () => {
    expect(dataDirectory('/flag', { POCKETFORGE_DATA: '/named' })).toBe('/flag')
  })
})

test('generated passwords differ, and are as long as the setting asks', () => {
  expect(generatePassword(8)).not.toBe(generatePassword(8))
  expect(generatePassword(100).length).toBeGreaterThanOrEqual(100)
})

test('what steers a terminal is made visible', () => {
  expect(printable('a\x1b]0;x\x07\u202eb')).toBe('a\\u{1b}]0;x\\u{7}\\u{202e}b')
})

test('columns are as wide as what a terminal shows of them', () => {
  expect(
    table([
      ['A', 'B'],
      ['日本', 'x'],
    ]),
  ).toBe('A     B\n日本  x')
})

describe('admin auth', () => {
  test('add, list, update, test and delete', async () => {
    const directory = ['--host', 'ldap.invalid', '--user-search-base', 'ou=people', '--user-filter', '(uid=%s)', '--email-attribute', 'mail']
    const secret = join(data, 'secret.txt')
    await Bun.write(secret, 'canary\n')
    const added = await run('admin', 'auth', 'add', 'ldap', '--name', 'corp', ...directory, '--bind-dn', 'cn=r', '--bind-password-file', secret)
    expect(added).toMatchObject({ code: 0, printed: expect.stringContaining('Created authentication source "corp" with ID 1.') })
    expect((await run('admin', 'auth', 'update', 'ldap', '--id', '1', '--not-active', '--security-protocol', 'StartTLS')).code).toBe(0)
    expect((await run('admin', 'auth', 'list')).printed).toBe('ID  NAME  TYPE  ACTIVE  SYNC  USERS\n1   corp  ldap  no      no    0')
    const { printed } = await run('admin', 'auth', 'list', '--json')
    expect(JSON.parse(printed)).toMatchObject([
      { name: 'corp', is_active: false, ldap: { host: 'ldap.invalid', bind_dn: 'cn=r', security_protocol: 'starttls' } },
    ])
    expect(printed).not.toContain('canary')
    const tried = await run('admin', 'auth', 'test', '--id', '1')
    expect([tried.code, tried.printed]).toEqual([1, expect.stringContaining('Cannot resolve the host name "ldap.invalid"')])
    expect((await run('admin', 'auth', 'delete', '--id', '1')).printed).toBe('Deleted authentication source "corp".')
  })

  test("Gitea's names of commands and settings are taken, too", async () => {
    const add = ['admin', 'auth', 'add-oauth', '--name', 'hub', '--provider', 'github', '--key', 'k', '--secret', 's', '--skip-local-2fa']
    expect((await run(...add)).code).toBe(0)
    const [hub] = JSON.parse((await run('admin', 'auth', 'list', '--json')).printed)
    expect(hub).toMatchObject({ type: 'oauth2', skip_local_2fa: true, oauth2: { client_id: 'k' } })
    expect((await run('admin', 'auth', 'update-smtp', '--id', String(hub.id), '--port', '1')).warned).toContain('expected: oauth2, actual: smtp')
  })

  test.each([
    [['add', 'ldap', '--name', 'x', '--security-protocol', 'LDAPSS'], 2, 'unknown security protocol name: LDAPSS'],
    [['add', 'pam', '--name', 'x', '--service-name', '../x'], 1, '[pam.service_name]'],
    [['add', 'smtp', '--name', 'x'.repeat(256), '--host', 'x'], 1, 'name'],
    [['delete'], 2, '--id'],
    [['delete', '--id', '99'], 1, 'Cannot find authentication source 99'],
  ])('%j is refused', async (argv, code, message) => {
    expect(await run('admin', 'auth', ...argv)).toMatchObject({ code, warned: expect.stringContaining(message) })
  })
})
