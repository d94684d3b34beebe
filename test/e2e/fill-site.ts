/** Something on every page, by the administrator `grace`. @returns the newest commit of `main` */
export async function fillSite(call: (line: string, body?: unknown) => Promise<Response>): Promise<string> {
  const post = async (path: string, body: unknown) => {
    const answer = await call(`POST ${path}`, body)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const at = '/repos/grace/engine'
  const code = 'const a = 1 // one\nfunction b(text: string) {\n  return /x/.test(text) ? `y` : null\n}\n'
  await post('/user/repos', { name: 'engine', auto_init: true, readme: 'Default', description: 'It runs' })
  await post('/user/repos', { name: 'empty', private: true })
  await post('/orgs', { username: 'acme' })
  const text = '# Title\n\n- [ ] task\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n\n`code` and [a link](https://example.org/)\n\n```ts\nconst a = 1\n```\n'
  await post(`${at}/contents/doc/a.ts`, { content: btoa(code), message: 'Add a', branch: 'main' })
  await post(`${at}/contents/doc/b.md`, { content: btoa(text), message: 'Add b', branch: 'main' })
  await post(`${at}/contents/doc/c.ts`, { content: btoa(code), message: 'Add c', branch: 'main', new_branch: 'topic' })
  await post(`${at}/labels`, { name: 'bug', color: '#d73a4a' })
  await post(`${at}/milestones`, { title: '1.0', due_on: '2030-01-01T00:00:00Z' })
  await post(`${at}/issues`, { title: 'It breaks', body: text, labels: [1], milestone: 1, assignees: ['grace'] })
  await post(`${at}/issues/1/comments`, { body: text })
  await post(`${at}/issues/1/reactions`, { content: 'heart' })
  await post(`${at}/pulls`, { title: 'Take it', head: 'topic', base: 'main', body: text })
  await post(`${at}/pulls/2/reviews`, { event: 'COMMENT', body: 'look', comments: [{ path: 'doc/c.ts', body: 'why?', new_position: 1 }] })
  await post(`${at}/branches`, { new_branch_name: 'other', old_branch_name: 'main' })
  for (const branch of ['main', 'other']) await post(`${at}/contents/doc/d.ts`, { content: btoa(`of ${branch}`), message: 'Add d', branch })
  await post(`${at}/pulls`, { title: 'Conflicting', head: 'other', base: 'main' })
  for (const state of ['success', 'failure', 'error', 'warning', 'pending', 'skipped'])
    for (const branch of ['main', 'topic'])
      await post(`${at}/statuses/${branch}`, { context: state, state, description: text, target_url: 'https://example.org/' })
  await post(`${at}/branch_protections`, { rule_name: 'main' })
  await post('/orgs/acme/repos', { name: 'works' })
  await post('/orgs/acme/teams', { name: 'crew', units: ['repo.code'], permission: 'read' })
  await post('/orgs/acme/labels', { name: 'bug', color: '#00aa00' })
  await post('/user/applications/oauth2', { name: 'client', redirect_uris: ['https://example.org/'], confidential_client: true })
  const hook = { type: 'gitea', config: { url: 'http://example.org/', content_type: 'json' }, events: ['push'] }
  for (const path of [at, '/user', '/orgs/acme', '/admin']) await post(`${path}/hooks`, hook)
  await post('/admin/auths', { type: 'oauth2', name: 'elsewhere', is_active: true, oauth2: { provider: 'github', client_id: 'x', client_secret: 'y' } })
  await post(`${at}/contents/doc/e.ts`, { content: btoa(code), message: 'Add e', branch: 'main', new_branch: 'later' })
  await post(`${at}/pulls`, { title: 'WIP: Take it later', head: 'later', base: 'main' })
  await post(`${at}/releases`, { tag_name: 'v1', name: 'One', body: text })
  await post(`${at}/wiki/new`, { title: 'Home', content_base64: btoa(text) })
  const branch = (await (await call(`GET ${at}/branches/main`)).json()) as { commit: { id: string } }
  return branch.commit.id
}
