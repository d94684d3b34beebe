import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from './config.ts'

function loaded(toml: string, environment: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'pf-config-'))
  try {
    writeFileSync(join(directory, 'pocketforge.toml'), toml)
    return loadConfig(directory, environment)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

test('a section within a section is read, and so is its variable', () => {
  expect(loaded('[git]\nWORKERS = 3\n[git.reflog]\nEXPIRATION = 7\n')).toMatchObject({ git: { WORKERS: 3 }, 'git.reflog': { EXPIRATION: 7 } })
  expect(loaded('', { POCKETFORGE_GIT_REFLOG_EXPIRATION: '9' })['git.reflog'].EXPIRATION).toBe(9)
})

test.each([
  ['[git.reflogs]\nEXPIRATION = 7', /git\.reflogs/],
  ['[git.reflog]\nEXPIRE = 7', /git\.reflog\.EXPIRE in .* Did you mean EXPIRATION/],
  ['[gitt]\nWORKERS = 1', /section \[gitt\].* Did you mean git/],
  ['git = 1', /\[git\] must be a table/],
])('%j is refused', (toml, reason) => {
  expect(() => loaded(toml)).toThrow(reason)
})

test.each(['git.REQUEST_SECONDS', 'git.UPKEEP_SECONDS'])('%s takes no wait that a timer cannot keep', (name) => {
  const [section, key] = name.split('.')
  expect(() => loaded(`[${section}]\n${key} = 2147484`)).toThrow(/from \d+ to 2147483/)
  expect(loaded(`[${section}]\n${key} = 2147483`)).toBeDefined()
})

test.each(['', ' 5 ', '1e3', '0x10', '1.5', '-2', '9007199254740993'])('a limit of %j repositories is refused: it is no whole number from -1', (value) => {
  expect(() => loaded('', { POCKETFORGE_REPOSITORY_MAX_CREATION_LIMIT: value })).toThrow(/whole number from -1/)
})

test('a settings file that is named has to be there, and one that cannot be parsed is named with the line', () => {
  expect(() => loadConfig('/nowhere', {}, {}, '/nowhere/mistyped.toml')).toThrow(/settings file \/nowhere\/mistyped\.toml: .*ENOENT/)
  expect(() => loaded('[server\nHTTP_PORT = 1')).toThrow(/settings file \S+pocketforge\.toml: [\s\S]*1: {2}\[server/)
  expect(loadConfig('/nowhere', {}).server.HTTP_PORT).toBe(3000)
})

test('an address to listen on may stand in brackets, and is never empty', () => {
  expect(loaded('', { POCKETFORGE_SERVER_HTTP_ADDR: '[::1]' }).server.HTTP_ADDR).toBe('::1')
  for (const text of ['', '٣', 'one two', 'x'.repeat(254)]) {
    expect(() => loaded('', { POCKETFORGE_SERVER_HTTP_ADDR: text })).toThrow(/HTTP_ADDR = ".*: expected an IP address/)
  }
})

test.each(['', ' ', 'a..b', '-x', 'HEAD', 'refs/heads/main', 'x'.repeat(300)])(
  'a first branch called %j is refused: no repository could be created',
  (name) => {
    expect(() => loaded('', { POCKETFORGE_REPOSITORY_DEFAULT_BRANCH: name })).toThrow(/DEFAULT_BRANCH = .*: expected a branch name/)
  },
)

test.each(['nan', '-inf', '1e99', '-1', '0.5', '2026-01-01', '[]', '{}'])('%s is no number of megabytes', (value) => {
  expect(() => loaded(`[attachment]\nMAX_SIZE = ${value}`)).toThrow(
    /MAX_SIZE = (NaN|-Infinity|1e\+99|-1|0\.5|"2026-01-01"|\[\]|\{\}): expected a whole number from/,
  )
})

test('a long value that cannot be used does not hide what is expected', () => {
  expect(() => loaded('', { POCKETFORGE_SERVER_HTTP_PORT: 'x'.repeat(100_000) })).toThrow(
    /^Invalid setting server\.HTTP_PORT = "x{199}…: expected a whole number from 0 to 65535$/,
  )
})

test.each(['git.example.org', 'ftp://git.example.org/', 'https://ada:secret@git.example.org/', 'https://git.example.org/?x', '/git/'])(
  '%p is no address of a server',
  (address) => {
    expect(() => loaded('', { POCKETFORGE_SERVER_ROOT_URL: address })).toThrow(/ROOT_URL = .*: expected a full URL/)
  },
)

test('a limit of -1 repositories is none', () => {
  expect(loaded('', { POCKETFORGE_REPOSITORY_MAX_CREATION_LIMIT: '-1' }).repository.MAX_CREATION_LIMIT).toBe(-1)
})

test('where each value was said is known, of the one that holds', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pf-config-'))
  try {
    writeFileSync(join(directory, 'pocketforge.toml'), '[log]\nLEVEL = "warn"\n[events]\nKEEP_DAYS = 3\n')
    const { origins } = loadConfig(directory, { POCKETFORGE_EVENTS_KEEP_DAYS: '4' }, { server: { HTTP_PORT: 1 } })
    expect([...origins]).toEqual([
      ['log.LEVEL', 'file'],
      ['events.KEEP_DAYS', 'environment'],
      ['server.HTTP_PORT', 'flag'],
    ])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
