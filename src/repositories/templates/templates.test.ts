import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import { writeDerived } from '#repositories/refs/index.ts'
import { fillRepo, git, gitIn, type Person, testForge } from '../../../test/harness.ts'

const forge = testForge({}, { clock: { seconds: () => 1_772_366_400, millis: () => 1_772_366_400_000 } as never })
const asAda = forge.asUser('ada')
const bob = forge.asUser('bob')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
let ada: Person
let plain: RepoRow

interface Repo {
  id: number
  full_name: string
  private: boolean
  description: string
  default_branch: string
  avatar_url: string
  topics: string[]
  fork: boolean
  empty: boolean
  message?: string
}
const generate = (as: string | undefined, template: string, body: object) =>
  forge.asUser(as).post<Repo>(`/repos/ada/${template}/generate`, { owner: as ?? 'ada', git_content: true, ...body })

/** A template of ada's with these files. */
function template(name: string, files: Record<string, string>, more: (directory: string) => void = () => {}) {
  const repo = forge.repo(ada, name, { template: true, description: `About ${name}` })
  fillRepo(forge, repo.id, (directory) => {
    writeFileSync(join(directory, 'secret'), 'of the past\n')
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-qm', 'Past')
    gitIn(directory, 'rm', '-q', 'secret')
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(directory, path, '..'), { recursive: true })
      writeFileSync(join(directory, path), text)
    }
    more(directory)
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-qm', 'Now')
  })
  return repo
}

/** Mode, id and path of each file, as stock git sees them, which finds nothing wrong. */
async function filesOf(id: number): Promise<{ modes: Record<string, string>; read(path: string): string; log: string }> {
  await writeDerived(context, id)
  const directory = context.git.pathOf(id)
  await git(['fsck', '--strict'], { cwd: directory })
  const lines = gitIn(directory, 'ls-tree', '-r', 'HEAD').trim().split('\n')
  const modes = Object.fromEntries(lines.map((line) => [line.split('\t')[1] as string, line.slice(0, 6)]))
  return { modes, read: (path) => gitIn(directory, 'show', `HEAD:${path}`), log: gitIn(directory, 'log', '--format=%an <%ae> %s').trim() }
}

beforeAll(async () => {
  ada = await forge.person('ada')
  for (const name of ['bob', 'carl', 'eve']) await forge.person(name)
  await forge.person('root', { isAdmin: true })
  await bob.post('/orgs', { username: 'mill' })
  await forge.asUser('eve').post('/orgs', { username: 'veiled', visibility: 'private' })
  plain = template('plain', { 'README.md': `# \${REPO_NAME}\n`, 'run.sh': 'echo $HOME\n' }, (directory) => {
    chmodSync(join(directory, 'run.sh'), 0o755)
    symlinkSync('README.md', join(directory, 'link'))
  })
})

test('files come along in one first commit by who asks, with modes and links, and nothing of the past does', async () => {
  const made = await generate('bob', 'plain', { name: 'Mine', description: 'My own', private: true })
  expect([made.status, made.body]).toMatchObject([
    201,
    { full_name: 'bob/Mine', private: true, description: 'My own', default_branch: 'main', fork: false, empty: false },
  ])
  const { modes, read, log } = await filesOf(made.body.id)
  expect(modes).toEqual({ 'README.md': '100644', link: '120000', 'run.sh': '100755' })
  expect([read('README.md'), read('run.sh'), log]).toEqual([`# \${REPO_NAME}\n`, 'echo $HOME\n', 'bob <bob@example.org> Initial commit'])
  const secret = gitIn(context.git.pathOf(plain.id), 'rev-parse', 'HEAD~1:secret').trim()
  expect((await bob.get(`/repos/bob/Mine/git/blobs/${secret}`)).status).toBeOneOf([400, 404])
  expect(context.db.find('SELECT is_exact FROM ref_state WHERE repo_id = ?', made.body.id)).toEqual({ is_exact: 1 })
})

test('the branch has the name that is asked for', async () => {
  const made = await generate('bob', 'plain', { name: 'trunk', default_branch: 'trunk' })
  expect(made.body.default_branch).toBe('trunk')
  expect((await bob.get<{ name: string }[]>('/repos/bob/trunk/branches')).body.map(({ name }) => name)).toEqual(['trunk'])
})

describe('variables', () => {
  const rules = '# in these\n**.md\nsrc/*.ts\n*.bin\nlink\n\nd/**\n'
  test('are filled in where the rules say so, in names too, and the rules do not come along', async () => {
    template(
      'filled',
      {
        '.gitea/template': rules,
        'README.md': `\${REPO_NAME} \${REPO_NAME_SNAKE} \${REPO_NAME_KEBAB} \${REPO_NAME_CAMEL} \${REPO_NAME_PASCAL} \${REPO_NAME_UPPER} \${REPO_NAME_TITLE}\n`,
        'deep/er/DATE.md': `$YEAR-$MONTH-$DAY \${MONTH_ENGLISH}`,
        'src/$REPO_NAME_SNAKE.ts': `from \${TEMPLATE_OWNER}/\${TEMPLATE_NAME}: $REPO_LINK\n`,
        'src/deep/x.ts': `\${REPO_NAME}`,
        'x.bin': `\0\${REPO_NAME}`,
        'shell.md': `$$YEAR $\${YEAR} \${NOPE} $NOPE $1 $( \${open $& $\` $$`,
        'untouched.txt': `\${REPO_NAME}`,
        'd/${REPO_DESCRIPTION}/a': 'x',
      },
      (directory) => symlinkSync(`\${REPO_NAME}`, join(directory, 'link')),
    )
    const made = await generate('bob', 'filled', { name: 'My-NewThing2', description: `../../$& \${YEAR} .git/hooks` })
    const { modes, read } = await filesOf(made.body.id)
    expect(Object.keys(modes).sort()).toEqual(
      [
        'README.md',
        `d/____$& \${YEAR} .git_hooks/a`,
        'deep/er/DATE.md',
        'link',
        'shell.md',
        'src/deep/x.ts',
        'src/my_new_thing2.ts',
        'untouched.txt',
        'x.bin',
      ].sort(),
    )
    expect(read('README.md')).toBe('My-NewThing2 my_new_thing2 my-new-thing2 myNewThing2 MyNewThing2 MY-NEWTHING2 My-Newthing2\n')
    expect(read('deep/er/DATE.md')).toBe('2026-03-01 March')
    expect(read('src/my_new_thing2.ts')).toBe('from ada/filled: http://localhost:3000/bob/My-NewThing2\n')
    for (const path of ['src/deep/x.ts', 'untouched.txt', 'link']) expect(read(path)).toBe(`\${REPO_NAME}`)
    expect(read('x.bin')).toBe(`\0\${REPO_NAME}`)
    expect(read('shell.md')).toBe(`$YEAR \${YEAR} NOPE NOPE 1 $( \${open $& $\` $`)
  })

  test.each([
    ['.git', `\${REPO_DESCRIPTION}`, '.git'],
    ['.gitmodules as a link', `\${REPO_DESCRIPTION}`, '.gitmodules'],
  ])('never make a path that no checkout may have: %s', async (what, path, description) => {
    const name = `evil-${description.slice(1)}`
    template(name, { '.gitea/template': '**\n' }, (directory) => {
      if (what.endsWith('link')) symlinkSync('x', join(directory, path))
      else writeFileSync(join(directory, path), 'x')
    })
    const made = await generate('bob', name, { name, description })
    expect([made.status, (await bob.get(`/repos/bob/${name}`)).status]).toEqual([422, 404])
  })

  test('in more patterns than anybody needs are refused, and nothing is left', async () => {
    template('many', { '.gitea/template': '*a*b*c\n'.repeat(5000), a: 'x' })
    expect((await generate('bob', 'many', { name: 'many' })).status).toBeWithin(400, 500)
    expect((await bob.get('/repos/bob/many')).status).toBe(404)
  })
})

test('topics, labels, hooks and picture come along when they are asked for, and only then', async () => {
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  template('rich', { a: 'x' })
  await asAda.put('/repos/ada/rich/topics', { topics: ['forge', 'git'] })
  await asAda.post('/repos/ada/rich/labels', { name: 'bug', color: '#aabbcc' })
  await asAda.post('/repos/ada/rich/hooks', {
    type: 'gitea',
    config: { url: 'http://localhost/x', content_type: 'json', secret: 's' },
    events: ['push'],
    active: true,
  })
  await asAda.post('/repos/ada/rich/avatar', { image: picture })
  const all = { topics: true, labels: true, avatar: true, git_content: false }
  const made = await generate('bob', 'rich', { name: 'rich', ...all })
  expect([made.status, made.body]).toMatchObject([201, { topics: ['forge', 'git'], empty: true }])
  expect(made.body.avatar_url).not.toBe('')
  expect(made.body.avatar_url).not.toBe((await asAda.get<Repo>('/repos/ada/rich')).body.avatar_url)
  expect((await forge.get<{ name: string }[]>('/repos/bob/rich/labels')).body.map(({ name }) => name)).toEqual(['bug'])
  expect((await generate('bob', 'rich', { name: 'hooked', webhooks: true })).status).toBe(403)
  const own = await generate('ada', 'rich', { name: 'hooked', webhooks: true })
  expect(own.body).toMatchObject({ topics: [], avatar_url: '' })
  expect((await asAda.get<object[]>('/repos/ada/hooked/hooks')).body).toMatchObject([{ events: ['push'], active: true }])
})

test('rules about branches come along after the first commit, which they would not let through', async () => {
  template('ruled', { a: 'x' })
  await asAda.post('/repos/ada/ruled/branch_protections', { rule_name: 'main', enable_push: false, required_approvals: 2 })
  const made = await generate('bob', 'ruled', { name: 'ruled', protected_branch: true })
  expect([made.status, (await filesOf(made.body.id)).modes]).toEqual([201, { a: '100644' }])
  expect((await bob.get<object[]>('/repos/bob/ruled/branch_protections')).body).toMatchObject([{ rule_name: 'main', required_approvals: 2 }])
})

test.each<[string, string | undefined, string, object, number]>([
  ['a repository that is no template', 'bob', 'none', {}, 422],
  ['a repository that there is not', 'bob', 'absent', {}, 404],
  ['nothing of it', 'bob', 'plain', { git_content: false }, 422],
  ['it by a visitor', undefined, 'plain', {}, 401],
  ['it for nobody', 'bob', 'plain', { owner: 'nobody' }, 404],
  ['it for somebody else', 'bob', 'plain', { owner: 'carl' }, 403],
  ['it for an organization where one may not', 'carl', 'plain', { owner: 'mill' }, 403],
  ['it for an organization that one does not see', 'bob', 'plain', { owner: 'veiled' }, 404],
  ['it for an organization', 'bob', 'plain', { owner: 'mill' }, 201],
  ['it for somebody else, as an administrator', 'root', 'plain', { owner: 'carl' }, 201],
  ['it again', 'bob', 'plain', { owner: 'mill' }, 409],
  ['it under a bad name', 'bob', 'plain', { name: '..' }, 422],
  ['it with a bad branch', 'bob', 'plain', { name: 'branchy', default_branch: 'a..b' }, 422],
])('generating %s', async (what, who, from, more, status) => {
  forge.context.db.tx((tx) => tx.run("UPDATE repository SET is_template = 0 WHERE lower_name = 'none'"))
  if (from === 'none') forge.repo(ada, 'none')
  const asked = { name: `asked-${what.replace(/\W+/g, '-')}`, ...more }
  if (what === 'it again') await generate(who, from, asked)
  expect((await generate(who, from, asked)).status).toBe(status)
})

test('a private template is one for those who read it', async () => {
  template('hidden', { a: 'x' })
  await asAda.patch('/repos/ada/hidden', { private: true })
  expect((await generate('bob', 'hidden', { name: 'hidden' })).status).toBe(404)
  await asAda.put('/repos/ada/hidden/collaborators/bob', { permission: 'read' })
  expect((await generate('bob', 'hidden', { name: 'hidden' })).status).toBe(201)
})

test('a template without a commit makes an empty repository', async () => {
  forge.repo(ada, 'blank', { template: true })
  expect((await generate('bob', 'blank', { name: 'blank' })).body).toMatchObject({ empty: true })
})

test('twenty who ask at once for one name make one repository', async () => {
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => generate('carl', 'plain', { name: 'rush' })))).map(({ status }) => status)
  expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 409).length]).toEqual([1, 19])
  const { id } = (await forge.asUser('carl').get<Repo>('/repos/carl/rush')).body
  expect(Object.keys((await filesOf(id)).modes)).toContain('README.md')
})
