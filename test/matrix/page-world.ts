import { termsOf } from '#access/index.ts'
import type { RouteDeclaration } from '#kernel/slice.ts'
import { createApplication } from '#people/oauth2/change-applications.ts'
import { TestBrowser } from '../browser.ts'
import { type Person, type TestForge, testForge } from '../harness.ts'
import { ed25519Key } from '../ssh-keys.ts'

/** Who looks at pages: somebody without rights is signed in, and the repository and the organization are private. */
export const viewerNames = ['visitor', 'stranger', 'reader', 'owner', 'root'] as const
export type ViewerName = (typeof viewerNames)[number]

export interface PageWorld extends AsyncDisposable {
  forge: TestForge
  people: Record<Exclude<ViewerName, 'visitor'>, Person>
  browsers: Record<ViewerName, TestBrowser>
  /** What the paths of pages are filled in with, by the parameter's name; what is somebody's own, by whose it is. */
  params: Record<string, string>
  own: Record<ViewerName, Record<string, string>>
}

export const ORG = 'acme'
export const REPO = '/owner/engine'
export const PASSWORD = 'correct horse battery'

/** Words that people put everywhere where words can be put. */
export interface Words {
  /** Of one line, as long as the shortest field takes. */
  line: string
  /** Of several. */
  text: string
}
const plain: Words = { line: 'Something', text: 'Some *words* about #1 and @owner, [a link](README.md) and ![a picture](a.png)' }

/**
 * A forge with one of everything that pages show, in a private repository and a private organization: `owner` owns both, `reader` may read.
 * @param isPrivate for a crawl as visitors see it they are public
 */
export async function makePageWorld({ isPrivate = true, words = plain }: { isPrivate?: boolean; words?: Words } = {}): Promise<PageWorld> {
  // Each page is made anew, so that what it costs can be counted.
  const forge = testForge({ server: { PAGE_CACHE_SIZE: 0 }, security: { SIGN_IN_FAILURES: 0 }, service: { DISABLE_REGISTRATION: false } })
  const people = {
    stranger: await forge.person('stranger'),
    reader: await forge.person('reader'),
    owner: await forge.person('owner', { password: PASSWORD, fullName: words.line }),
    root: await forge.person('root', { isAdmin: true }),
  }
  const browsers = { visitor: new TestBrowser(forge) } as PageWorld['browsers']
  const own = { visitor: {} } as PageWorld['own']
  for (const [name, person] of Object.entries(people) as [Exclude<ViewerName, 'visitor'>, Person][]) {
    browsers[name] = new TestBrowser(forge, person)
    own[name] = await makeOwn(forge, person, words)
  }
  own.visitor = own.stranger
  const maker = new Maker(forge, words)
  const params = { ...(await maker.fillRepo(isPrivate)), ...(await maker.fillOrg(isPrivate)), ...(await maker.fillSite(browsers.root)) }
  return { forge, people, browsers, params, own, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() }
}

/** What the addresses of somebody's own settings name. */
async function makeOwn(forge: TestForge, person: Person, { line }: Words): Promise<Record<string, string>> {
  const config = { url: 'http://example.org/', content_type: 'json' }
  const { body: hook } = await forge.asUser(person).post<{ id: number }>('/user/hooks', { type: 'gitea', config, events: ['push'] })
  const terms = { name: line, redirect_uris: ['https://example.org/'], confidential_client: true, skip_secondary_authorization: false }
  const { row } = createApplication(forge.context, person.row, terms)
  return { '/user/settings/hooks/:id': String(hook.id), '/user/settings/applications/oauth2/:id': String(row.id) }
}

class Maker {
  readonly #forge: TestForge
  readonly #words: Words

  constructor(forge: TestForge, words: Words) {
    this.#forge = forge
    this.#words = words
  }

  async fillRepo(isPrivate: boolean): Promise<Record<string, string>> {
    const { line, text } = this.#words
    const at = `/repos${REPO}`
    await this.#make('POST /user/repos', 'owner', { name: 'engine', private: isPrivate, description: line, auto_init: true, readme: 'Default' })
    await this.#make(`PUT ${at}/collaborators/reader`, 'owner', { permission: 'read' })
    await this.#make(`POST ${at}/contents/doc/guide.md`, 'owner', { content: encoded(`# ${text}\n`), message: text, branch: 'main' })
    await this.#make(`POST ${at}/contents/a.ts`, 'owner', { content: encoded(`const a = 1 // ${line}\n`), message: line, branch: 'main' })
    await this.#make(`POST ${at}/contents/a.ts%20b%23c`, 'owner', { content: encoded(`${text}\n`), message: 'Add it', branch: 'main', new_branch: 'topic' })
    const head = await this.#make<{ commit: { id: string } }>(`GET ${at}/branches/main`, 'owner')
    const label = await this.#make(`POST ${at}/labels`, 'owner', { name: line.slice(0, 50), color: '#aa0000', description: line.slice(0, 200) })
    const milestone = await this.#make(`POST ${at}/milestones`, 'owner', { title: line, description: text, due_on: '2030-01-01T00:00:00Z' })
    const issue = { title: line, body: text, labels: [label.id], milestone: milestone.id, assignees: ['owner'] }
    await this.#make(`POST ${at}/issues`, 'owner', issue)
    const comment = await this.#make(`POST ${at}/issues/1/comments`, 'reader', { body: text })
    await this.#make(`POST ${at}/issues/comments/${comment.id}/reactions`, 'owner', { content: 'heart' })
    const pull = await this.#make<{ number: number }>(`POST ${at}/pulls`, 'owner', { title: line, body: text, head: 'topic', base: 'main' })
    const remarks = [{ path: 'a.ts b#c', body: text, new_position: 1 }]
    await this.#make(`POST ${at}/pulls/${pull.number}/reviews`, 'reader', { event: 'COMMENT', body: text, comments: remarks })
    const conflict = await this.#makeConflict(at)
    const release = await this.#make(`POST ${at}/releases`, 'owner', { tag_name: 'v1', name: line, body: text })
    const asset = await this.#upload(`${at}/releases/${release.id}/assets`)
    const file = await this.#upload(`${at}/issues/1/assets`)
    await this.#make(`POST ${at}/wiki/new`, 'owner', { title: 'Home', content_base64: encoded(text), message: line })
    await this.#make(`POST ${at}/statuses/${head.commit.id}`, 'owner', {
      state: 'success',
      context: line,
      description: line,
      target_url: 'https://example.org/',
    })
    const config = { url: 'http://example.org/', content_type: 'json' }
    const hook = await this.#make(`POST ${at}/hooks`, 'owner', { type: 'gitea', config, events: ['push'] })
    await this.#make(`POST ${at}/keys`, 'owner', { title: line.slice(0, 50), key: ed25519Key(2), read_only: true })
    await this.#make('POST /user/keys', 'owner', { title: line.slice(0, 50), key: ed25519Key(1) })
    await this.#make(`POST ${at}/branch_protections`, 'owner', { rule_name: 'main', protected_file_patterns: 'secret' })
    await this.#make(`POST ${at}/tag_protections`, 'owner', { name_pattern: 'v*', whitelist_usernames: ['owner'] })
    await this.#make(`PUT ${at}/topics/forge`, 'owner')
    await this.#make(`PUT /user/starred${REPO}`, 'reader')
    return {
      owner: 'owner',
      repo: 'engine',
      index: '1',
      kind: 'branch',
      '*': 'main',
      pull: String(pull.number),
      conflict,
      sha: head.commit.id,
      release: String(release.id),
      asset: asset.uuid,
      uuid: file.uuid,
      hook: String(hook.id),
      label: String(label.id),
      milestone: String(milestone.id),
      comment: String(comment.id),
    }
  }

  /** A pull request that changes what its base has changed otherwise. */
  async #makeConflict(at: string): Promise<string> {
    await this.#make(`POST ${at}/branches`, 'owner', { new_branch_name: 'other', old_branch_name: 'main' })
    for (const branch of ['main', 'other']) {
      const { sha } = await this.#make<{ sha: string }>(`GET ${at}/contents/a.ts?ref=${branch}`, 'owner')
      await this.#make(`PUT ${at}/contents/a.ts`, 'owner', { content: encoded(`of ${branch}\n`), sha, branch, message: `Change it on ${branch}` })
    }
    return String((await this.#make<{ number: number }>(`POST ${at}/pulls`, 'owner', { title: 'Conflicting', head: 'other', base: 'main' })).number)
  }

  async fillOrg(isPrivate: boolean): Promise<Record<string, string>> {
    const { line, text } = this.#words
    await this.#make('POST /orgs', 'owner', {
      username: ORG,
      visibility: isPrivate ? 'private' : 'public',
      full_name: line.slice(0, 100),
      description: text.slice(0, 255),
    })
    const terms = { name: 'crew', description: line, units: ['repo.code'], permission: 'read', visibility: 'limited' }
    const team = await this.#make(`POST /orgs/${ORG}/teams`, 'owner', terms)
    await this.#make(`PUT /teams/${team.id}/members/reader`, 'owner')
    await this.#make(`POST /orgs/${ORG}/repos`, 'owner', { name: 'works', private: isPrivate })
    await this.#make(`PUT /teams/${team.id}/repos/${ORG}/works`, 'owner')
    await this.#make(`POST /orgs/${ORG}/labels`, 'owner', { name: line.slice(0, 50), color: '#00aa00' })
    const config = { url: 'http://example.org/', content_type: 'json' }
    const hook = await this.#make(`POST /orgs/${ORG}/hooks`, 'owner', { type: 'gitea', config, events: ['push'] })
    const { db } = this.#forge.context
    const row = db.find<{ id: number }>('SELECT id FROM user WHERE name = ?', ORG)
    const application = { name: line, redirect_uris: ['https://example.org/'], confidential_client: true, skip_secondary_authorization: false }
    const made = createApplication(this.#forge.context, row as never, application)
    return { org: ORG, team: 'crew', orgHook: String(hook.id), orgApplication: String(made.row.id) }
  }

  async fillSite(root: TestBrowser): Promise<Record<string, string>> {
    const { line } = this.#words
    const { db } = this.#forge.context
    const config = { url: 'http://example.org/', content_type: 'json' }
    const hook = await this.#make('POST /admin/hooks', 'root', { type: 'gitea', config, events: ['push'] })
    const oauth2 = { provider: 'github', client_id: 'x', client_secret: 'y' }
    const source = await this.#make('POST /admin/auths', 'root', { type: 'oauth2', name: 'elsewhere', is_active: true, oauth2 })
    await root.post('/-/admin/badges', { slug: 'early', description: line, image_url: '' })
    await root.post('/-/admin/applications', { name: line, redirect_uris: 'https://example.org/', confidential_client: 'true' })
    const { id } = db.find<{ id: number }>('SELECT max(id) AS id FROM oauth2_application') ?? { id: 0 }
    const client = db.find<{ client_id: string }>('SELECT client_id FROM oauth2_application WHERE id = ?', id)?.client_id ?? ''
    const stranger = db.find<{ id: number }>("SELECT id FROM user WHERE name = 'stranger'")
    return { siteHook: String(hook.id), source: String(source.id), application: String(id), client, slug: 'early', person: String(stranger?.id) }
  }

  async #make<T = { id: number }>(line: string, as: string, body?: unknown): Promise<T> {
    const reply = await this.#forge.asUser(as).send<T>(line, { body })
    if (reply.status >= 300) throw new Error(`Cannot set up the world of pages: ${line} answers ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  async #upload(path: string): Promise<{ uuid: string }> {
    const form = new FormData()
    form.append('attachment', new File(['a log'], 'a b.log'))
    const headers = { Authorization: `token ${this.#forge.token('owner', 'all')}` }
    const answer = await this.#forge.app.handle(new Request(`http://localhost/api/v1${path}`, { method: 'POST', body: form, headers }))
    return (await answer.json()) as { uuid: string }
  }
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A route for browsers, as it declares itself. */
export interface PageRoute {
  /** `GET /:owner/:repo/labels`. */
  line: string
  method: string
  path: string
  kind: string
  asks: string
}

/** Every route outside of the API and git that is for somebody; a new one is among them unasked. */
export async function pageRoutes({ app }: TestForge): Promise<PageRoute[]> {
  const routes = (await app.routes()) as readonly RouteDeclaration[]
  return routes.flatMap(({ method, path, hooks }) => {
    const [terms] = termsOf(hooks.detail)
    if (path.startsWith('/api/') || terms === undefined || terms.kind === 'git' || terms.kind === 'application') return []
    return [{ line: `${method} ${path}`, method, path, kind: terms.kind, asks: terms.asks }]
  })
}
