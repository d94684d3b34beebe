import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { accessTo, anonymous, type RepoAccess } from '#access/index.ts'
import { Effort } from '#git/attributes/effort.ts'
import { untilAborted } from '#kernel/breathe.ts'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { outcome } from '../../../test/outcome.ts'
import { matchesGlob } from './match-glob.ts'
import { parseEditorConfig } from './parse-editorconfig.ts'
import { resolveDefinition } from './resolve-definition.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
await forge.person('bob')

const top = `; a comment
root = true

[*]
Indent_Style = TAB
charset=utf-8
max_line_length = 80

[*.{ts,tsx}]
indent_style = space
indent_size = 2
max_line_length = unset

[/docs/**.md]
trim_trailing_whitespace = false
`
function commit(name: string, files: Record<string, string>, more = {}) {
  const repo = forge.repo(ada, name, more)
  fillRepo(forge, repo.id, (directory) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), text)
    }
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-qm', 'One')
  })
}
commit('engine', { '.editorconfig': top, 'web/.editorconfig': '[*.ts]\nindent_size = 4\n', 'alone/.editorconfig': 'root = true\n[x]\na = b\n' })
commit('plain', { README: '' })
commit('secret', { '.editorconfig': top }, { private: true })

test.each([
  ['Makefile', { indent_style: 'tab', indent_size: 'tab', charset: 'utf-8', max_line_length: '80' }],
  ['src/a.ts', { indent_style: 'space', indent_size: '2', tab_width: '2', charset: 'utf-8' }],
  ['src%2Fa.tsx', { indent_style: 'space', indent_size: '2', tab_width: '2', charset: 'utf-8' }],
  ['web/deep/a.ts', { indent_style: 'space', indent_size: '4', tab_width: '4', charset: 'utf-8' }],
  ['docs/a/b.md', { indent_style: 'tab', indent_size: 'tab', charset: 'utf-8', max_line_length: '80', trim_trailing_whitespace: 'false' }],
  ['alone/x', { a: 'b' }],
  ['alone/y', {}],
])('%s is to be treated as the files above it say', async (path, definition) => {
  const { status, body } = await forge.get(`/repos/ada/engine/editorconfig/${path}`)
  expect([status, body]).toEqual([200, definition])
})

test('where there is none, or nothing to be seen, there is no answer', async () => {
  for (const path of [
    'plain/editorconfig/a.ts',
    'engine/editorconfig/..%2Fa',
    'engine/editorconfig/a?ref=nowhere',
    'secret/editorconfig/a',
    'engine/editorconfig/%00',
  ])
    expect([path, (await forge.asUser('bob').get(`/repos/ada/${path}`)).status]).toEqual([path, 404])
  expect((await forge.get('/repos/ada/engine/editorconfig/a.ts?ref=main')).status).toBe(200)
})

test.each([
  ['*.py', 'a/b.py', true],
  ['*.py', 'a/b.pyc', false],
  ['lib/**.js', 'lib/a/b.js', true],
  ['lib/**.js', 'lib/b.js', true],
  ['lib/*.js', 'lib/a/b.js', false],
  ['{a,b}/[!x].c', 'b/y.c', true],
  ['{a,b}/[!x].c', 'b/x.c', false],
  ['file{1..3}', 'file2', true],
  ['file{1..3}', 'file4', false],
  ['{single}.b', '{single}.b', true],
  ['{a,{b,c}}.x', 'c.x', true],
  ['grüße?', 'grüße1', true],
])('[%s] and %s: %p', (glob, path, matches) => {
  expect(matchesGlob(glob, path, new Effort({ perPath: 0, most: 100_000 }))).toBe(matches)
})

test('hostile headings end soon', () => {
  for (const glob of ['{a,b}'.repeat(30), '{1..999999999}', `${'*a'.repeat(400)}b`, '{'.repeat(1000), '**'.repeat(500)]) {
    const spent = cpuMeter()
    try {
      matchesGlob(glob, 'a'.repeat(1000), new Effort({ perPath: 0, most: 100_000 }))
    } catch (error) {
      expect(error).toHaveProperty('kind', 'limit')
    }
    expect(spent()).toBeLessThan(1000)
  }
})

test('what is no pair is no pair', () => {
  expect(parseEditorConfig('\ufeffroot=TRUE\r\n[*\nx\n[a]b]\n# c = d\n = e\nk = v = w\n')).toEqual({
    isRoot: true,
    sections: [{ glob: 'a]b', pairs: [['k', 'v = w']] }],
  })
})

test('headings that stand for very many patterns are gone through in turns with others', async () => {
  const heading = `[${'{a,b}'.repeat(7)}${'{x'.repeat(480)}]\na=b\n`
  commit('slow', { '.editorconfig': heading.repeat(50) })
  const repo = accessTo(
    forge.context.db,
    anonymous,
    forge.context.db.find<{ id: number }>("SELECT id FROM repository WHERE name = 'slow'")?.id ?? 0,
  ) as RepoAccess
  const asked = untilAborted(AbortSignal.abort(new Error('gone')), () => resolveDefinition(forge.context, repo, 'f.x', ''))
  expect(await outcome(asked)).toThrow('gone')
})
