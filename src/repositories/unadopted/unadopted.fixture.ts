import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ConfigInput } from '#config.ts'
import { makeHistory } from '../../../test/git-fixture.ts'
import { git, type Person, type Reply, type TestForge, testForge } from '../../../test/harness.ts'

/** A forge with a person called ada, a site administrator, and ways to ask for repositories that wait. */
export interface Site extends AsyncDisposable {
  forge: TestForge
  root: Person
  /** Where repositories lie. */
  repositories: string
  /** The directory where `owner/name` waits. */
  placeOf(fullName: string): string
  /** Puts a repository there, with so many commits and two tags; returns the directory. */
  drop(fullName: string, commits?: number): string
  /** The names that `GET /admin/unadopted` answers. */
  list(query?: string): Promise<string[]>
  adopt(fullName: string): Promise<Reply<{ message: string }>>
  remove(fullName: string): Promise<Reply<{ message: string }>>
}

export async function makeSite(config: ConfigInput = {}): Promise<Site> {
  const forge = testForge(config)
  await forge.person('ada')
  const root = await forge.person('root', { isAdmin: true })
  const repositories = dirname(forge.context.git.pathOf(0))
  const placeOf = (fullName: string) => join(repositories, `${fullName}.git`)
  return {
    forge,
    root,
    repositories,
    placeOf,
    drop(fullName, commits = 30) {
      const path = placeOf(fullName)
      mkdirSync(dirname(path), { recursive: true })
      makeHistory(path, { commits, files: 4 })
      return path
    },
    list: async (query = '') => (await forge.asUser(root).get<string[]>(`/admin/unadopted${query}`)).body,
    adopt: (fullName) => forge.asUser(root).post(`/admin/unadopted/${fullName}`),
    remove: (fullName) => forge.asUser(root).delete(`/admin/unadopted/${fullName}`),
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
  }
}

/** The first pack of a repository. */
export function packIn(path: string): string {
  const directory = join(path, 'objects/pack')
  return join(directory, readdirSync(directory).find((name) => name.endsWith('.pack')) as string)
}

/** All refs of a repository, as stock git tells them. */
export function refsOf(path: string): Promise<string> {
  return git(['-C', path, 'for-each-ref', '--format=%(refname) %(objectname) %(*objectname)'])
}
