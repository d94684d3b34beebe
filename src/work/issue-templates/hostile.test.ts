import { afterAll, expect, spyOn, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { turns } from '../../../test/eventually.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { soak } from '../../../test/soak.ts'
import { parseYaml } from './parse-yaml.ts'
import { templatesThread } from './templates-thread.ts'

const forge: TestForge = testForge()
const run = templatesThread.run.bind(templatesThread)
/** What came first once the thread had a job: its answer, or the next turn of the event loop. */
let first = ''
/** Reads each text to its end: a machine under load takes longer than the limits allow. */
const reading = spyOn(templatesThread, 'run').mockImplementation(async (job, terms) => {
  const answer = run({ ...job, budget: 60_000 }, { ...terms, milliseconds: 60_000 })
  first = await Promise.race([answer.then(() => 'the answer'), turns().then(() => 'another turn')])
  return answer
})
afterAll(async () => {
  reading.mockRestore()
  await forge[Symbol.asyncDispose]()
})
await forge.person('ada')

const honest = 'name: Form\nabout: Fill in\nbody:\n  - type: input\n    attributes:\n      label: What\n'
const long = (part: string) => part.repeat(soak(15_000, 60_000) / part.length)

async function repoWith(name: string, files: Record<string, string>): Promise<string> {
  const { body } = await forge.asUser('ada').post<{ id: number }>('/user/repos', { name })
  fillRepo(forge, body.id, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    mkdirSync(join(directory, '.gitea/ISSUE_TEMPLATE'), { recursive: true })
    for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, '.gitea/ISSUE_TEMPLATE', file), text)
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-q', '-m', 'Templates')
  })
  return `/repos/ada/${name}`
}

test('templates that take long to read hold up nobody else, and those before them are shown', async () => {
  const slow = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`b${i}.yaml`, long('{a: ')]))
  const at = await repoWith('slow', { 'a.yaml': honest, ...slow })
  const { body, headers } = await forge.get<{ name: string }[]>(`${at}/issue_templates`)
  expect(body.map(({ name }) => name)).toEqual(['Form'])
  expect(headers.get('x-gitea-warning')).toContain('count=5')
  expect(first).toBe('another turn')
})

test('what stands in itself, or many times in itself, is no template', async () => {
  const inside = (more: string) => honest.replace('label: What', `label: What\n      ${more}`)
  const at = await repoWith('circles', {
    'a.yaml': honest,
    'b.yaml': inside('x: &x [*x]'),
    'c.yaml': inside(`x: [&x [${'1, '.repeat(10_000)}1], ${'*x, '.repeat(2000)}1]`),
  })
  const { status, body, headers } = await forge.get<unknown[]>(`${at}/issue_templates`)
  expect([status, body.length, headers.get('x-gitea-warning')]).toEqual([200, 1, 'error occurs when parsing issue template: count=2'])
})

test('a config of nothing but faults has the first of them named', async () => {
  const at = await repoWith('faults', { 'config.yaml': `blank_issues_enabled: false\nx: "${long('\\x')}` })
  expect((await forge.get(`${at}/issue_config`)).body).toEqual({ blank_issues_enabled: true, contact_links: [] })
  const { body } = await forge.get(`${at}/issue_config/validate`)
  expect(body).toMatchObject({ valid: false, message: expect.stringMatching(/^Invalid escape sequence .{2,20} \(line 2\)$/) })
})

test.each([
  ['a: 1\nb: [x, {c: y}]\n', { a: 1, b: ['x', { c: 'y' }] }],
  ['a: 1\nb:\n  c: 1\n  c: 2\n', "duplicate key 'c'"],
  ['{1: a, "1": b, a: b}', { 1: 'b', a: 'b' }],
  ['a: [\n', /\(line [12]\)$/],
  ['', null],
])('%j as YAML', (text, expected) => {
  if (typeof expected === 'string' || expected instanceof RegExp) expect(() => parseYaml(text)).toThrow(expected)
  else expect(parseYaml(text)).toEqual(expected)
})
