import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

const forge: TestForge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
await forge.person('ada')

test('templates and their config are read from the default branch; what is wrong with them is said', async () => {
  const { body } = await forge.asUser('ada').post<{ id: number }>('/user/repos', { name: 'templates' })
  const at = '/repos/ada/templates'
  expect((await forge.get(`${at}/issue_templates`)).body).toBeNull()
  fillRepo(forge, body.id, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    const folder = join(directory, '.gitea/ISSUE_TEMPLATE')
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries({
      'bug.md': '---\nname: Bug\nabout: It broke\nlabels: bug, kind/bug\ntitle: "[Bug] "\n---\n\nWhat happened?\n',
      'form.yaml':
        'name: Form\ndescription: Fill in\nbody:\n  - type: input\n    id: what\n    attributes:\n      label: What\n    validations:\n      required: true\n',
      'broken.yaml': 'name: Broken\nbody: 5\n',
      'config.yaml': 'blank_issues_enabled: false\ncontact_links:\n  - name: Chat\n    url: https://example.org\n    about: Talk\n',
    }))
      writeFileSync(join(folder, name), text)
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-q', '-m', 'Templates')
  })
  const templates = await forge.get<{ name: string }[]>(`${at}/issue_templates`)
  expect(templates.headers.get('x-gitea-warning')).toBe('error occurs when parsing issue template: count=1')
  expect(templates.body).toMatchObject([
    { name: 'Bug', about: 'It broke', labels: ['bug', 'kind/bug'], title: '[Bug] ', content: '\nWhat happened?\n', file_name: '.gitea/ISSUE_TEMPLATE/bug.md' },
    { name: 'Form', body: [{ type: 'input', id: 'what', attributes: { label: 'What' }, visible: ['form', 'content'] }] },
  ])
  expect((await forge.get(`${at}/issue_config`)).body).toEqual({
    blank_issues_enabled: false,
    contact_links: [{ name: 'Chat', url: 'https://example.org', about: 'Talk' }],
  })
  expect((await forge.get(`${at}/issue_config/validate`)).body).toEqual({ valid: true, message: '' })
})
