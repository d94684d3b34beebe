import { TestBrowser } from '../../../test/browser.ts'
import { oneStepBatches, testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import type { PullReview, PullReviewComment } from './schema.ts'

interface Commit {
  branch: string
  path: string
  /** As it is to be; null: not at all. */
  text: string | null
  from?: string
}

/** A forge in which `ada` has a repository where `bob` and `carl` write and `rita` reads; `eve` has no part in it. @param settings other than the usual ones */
export async function reviewForge(settings: Parameters<typeof testForge>[0] = {}) {
  const forge = testForge(settings, oneStepBatches)
  const people = new Map(Object.entries(await repositoryWithPeople(forge, { bob: 'write', carl: 'write', rita: 'read', eve: 'none' })))
  /** What a person sees in a browser. */
  const browserOf = (name: string) => new TestBrowser(forge, people.get(name))
  const home = '/repos/ada/engine'
  /** The API below the repository. */
  const engine = forge.at(home)
  let made = 0

  /** Commits one file to a branch, which may be new. @returns the commit */
  async function commit({ branch, path, text, from }: Commit, as = 'ada'): Promise<string> {
    const place = from === undefined ? { branch } : { branch: from, new_branch: branch }
    const known = await engine.asUser(as).get<{ sha?: string }>(`/contents/${path}?ref=${from ?? branch}`)
    const sha = known.status === 200 ? known.body.sha : undefined
    const verb = text === null ? 'DELETE' : sha === undefined ? 'POST' : 'PUT'
    const body = { ...place, sha, message: `Change ${path}`, ...(text === null ? {} : { content: Buffer.from(text).toString('base64') }) }
    const reply = await engine.asUser(as).send<{ commit: { sha: string } }>(`${verb} /contents/${path}`, { body })
    if (reply.status > 201) throw new Error(`${verb} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body.commit.sha
  }

  /** Opens a pull request that writes `text` into a file of its own. */
  async function pullOf({ path, text = 'one\ntwo\nthree\n', as = 'ada', title = `Topic ${made + 1}`, base = 'main', more = {} }: PullParts = {}) {
    const branch = `topic-${++made}`
    const head = await commit({ branch, path: path ?? `${branch}.txt`, text, from: base }, as)
    const reply = await engine.asUser(as).post<{ number: number; id: number }>('/pulls', { title, head: branch, base, ...more })
    if (reply.status !== 201) throw new Error(`POST pulls: ${reply.status} ${JSON.stringify(reply.body)}`)
    return { branch, head, path: path ?? `${branch}.txt`, number: reply.body.number, id: reply.body.id }
  }

  const review = <T = PullReview & { message: string }>(number: number, as: string, event: string, more: object = {}) =>
    engine.asUser(as).post<T>(`/pulls/${number}/reviews`, { event, ...more })
  const reviewsOf = async (number: number, as = 'ada') => (await engine.asUser(as).get<PullReview[]>(`/pulls/${number}/reviews`)).body
  const commentsOf = async (number: number, id: number, as = 'ada') =>
    (await engine.asUser(as).get<PullReviewComment[]>(`/pulls/${number}/reviews/${id}/comments`)).body
  return { forge, browserOf, home, engine, commit, pullOf, review, reviewsOf, commentsOf }
}

interface PullParts {
  path?: string
  text?: string
  as?: string
  title?: string
  base?: string
  more?: object
}

export type ReviewForge = Awaited<ReturnType<typeof reviewForge>>
