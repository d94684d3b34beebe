import type { Client } from './client.ts'
import type { Person, TestForge } from './harness.ts'

/** The worlds that many tests begin with. Everything is made through the API, as people make it, and without git processes. */

/** What somebody may do in the repository; `none` leaves them strangers to it. */
type Permission = 'none' | 'read' | 'write' | 'admin'

/**
 * Creates ada, the people of `permissions`, and ada's public repository `ada/engine`, which they share with these permissions.
 *
 * The repository has a README on branch `main`. @param more further fields of `POST /user/repos`
 */
export async function repositoryWithPeople<Name extends string>(
  forge: TestForge,
  permissions: Record<Name, Permission>,
  more: Record<string, unknown> = {},
): Promise<Record<'ada' | Name, Person>> {
  const people: Record<string, Person> = { ada: await forge.person('ada') }
  const named = Object.entries<Permission>(permissions)
  for (const [name] of named) people[name] = await forge.person(name)
  const ada = forge.asUser('ada')
  const { name: repo } = await succeed(ada.post<{ name: string }>('/user/repos', { name: 'engine', auto_init: true, default_branch: 'main', ...more }))
  for (const [name, permission] of named) {
    if (permission !== 'none') await succeed(ada.put(`/repos/ada/${repo}/collaborators/${name}`, { permission }))
  }
  return people as Record<'ada' | Name, Person>
}

interface IssueOptions {
  /** `owner/name`, `ada/engine` unless given. */
  repo?: string
  title?: string
  /** The texts of its comments. */
  comments?: string[]
  /** Further fields of the issue. */
  [field: string]: unknown
}

/** Opens an issue with comments, all by the user of `client`. */
export async function issueWithComments(client: Client, { repo = 'ada/engine', title = 'It breaks', comments = [], ...more }: IssueOptions = {}) {
  const { id, number } = await succeed(client.post<{ id: number; number: number }>(`/repos/${repo}/issues`, { title, ...more }))
  const ids: number[] = []
  for (const body of comments) ids.push((await succeed(client.post<{ id: number }>(`/repos/${repo}/issues/${number}/comments`, { body }))).id)
  return { id, number, comments: ids }
}

interface PullOptions {
  /** `owner/name`, `ada/engine` unless given. */
  repo?: string
  /** The new branch that the pull request wants merged. */
  branch?: string
  base?: string
  /** The one file that it adds. */
  path?: string
  text?: string
  title?: string
  /** Further fields of the pull request. */
  [field: string]: unknown
}

/** Commits a file to a new branch and opens a pull request from there, both by the user of `client`. */
export async function openPull(client: Client, options: PullOptions = {}) {
  const { repo = 'ada/engine', branch = 'topic', base = 'main', path = `${branch}.txt`, text = branch, title = `Take ${branch}`, ...more } = options
  const { commit } = await commitFile(client, { repo, branch: base, newBranch: branch, path, text })
  const { id, number } = await succeed(client.post<{ id: number; number: number }>(`/repos/${repo}/pulls`, { title, head: branch, base, ...more }))
  return { id, number, branch, path, head: commit.sha }
}

interface FileOptions {
  repo?: string
  /** The branch to commit to, or the one that the new branch starts from. */
  branch?: string
  newBranch?: string
  path: string
  text?: string
}

/** Commits a new file, to `main` unless another branch is given. */
export function commitFile(client: Client, { repo = 'ada/engine', branch = 'main', newBranch, path, text = '' }: FileOptions) {
  const body = { branch, new_branch: newBranch, content: Buffer.from(text).toString('base64'), message: `Add ${path}` }
  return succeed(client.post<{ commit: { sha: string }; content: { sha: string } }>(`/repos/${repo}/contents/${path}`, body))
}

/** Returns the body of a response, and throws where the request failed: a test that builds on it would fail for the wrong reason. */
async function succeed<T>(reply: Promise<{ status: number; body: T }>): Promise<T> {
  const { status, body } = await reply
  if (status >= 300) throw new Error(`Cannot set up the test: ${status} ${JSON.stringify(body)}`)
  return body
}
