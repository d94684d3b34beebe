import { beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runBinary } from '../binary.ts'
import { Random } from '../generate-history.ts'
import { forgeForStories, fsck, storedRepositories, story } from './forge.ts'

/** How often the server is killed; `TIMES=100` in the environment looks longer. */
const TIMES = Number(process.env.TIMES ?? 10)
const ROUND_MS = 15_000
/** How many do the same at once. */
const HANDS = 2

/** What somebody does again and again, and what they were told is done. */
interface Work {
  /** Does it once more; throws when the server is gone. */
  step(id: string): Promise<void>
  /** Compares all that is there with what was answered. */
  check(): Promise<void>
}

interface Answer<T> {
  status: number
  body: T
}

story('the server is killed while people work', () => {
  const forge = forgeForStories()
  const random = new Random(9)
  let label = 0
  let release = 0

  const ask = async <T>(line: string, body?: unknown): Promise<Answer<T>> => {
    const answer = await forge.api(line, forge.ada, body)
    return { status: answer.status, body: (await answer.json().catch(() => undefined)) as T }
  }
  /** All pages of a list. */
  async function listAll<T>(path: string): Promise<T[]> {
    const found: T[] = []
    for (let page = 1; ; page++) {
      const { body } = await ask<T[]>(`GET ${path}${path.includes('?') ? '&' : '?'}limit=50&page=${page}`)
      found.push(...body)
      if (body.length < 50) return found
    }
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const textOf = async (repo: string, path: string) => {
    const answer = await forge.api(`GET /repos/ada/${repo}/raw/${path}`, forge.ada)
    return answer.status === 200 ? answer.text() : undefined
  }
  const makeFile = (repo: string, path: string, more: Record<string, unknown> = {}) =>
    ask<{ commit: { sha: string } }>(`POST /repos/ada/${repo}/contents/${path}`, { content: base64(path), ...more })

  /** Each file is a commit of its own. */
  function editing(): Work {
    const done = new Map<string, string>()
    return {
      async step(id) {
        const { status, body } = await makeFile('edited', `files/${id}`)
        if (status === 201) done.set(`files/${id}`, body.commit.sha)
        else expect([409, 422]).toContain(status)
      },
      async check() {
        const shas = new Set((await listAll<{ sha: string }>('/repos/ada/edited/commits?stat=false&files=false&verification=false')).map(({ sha }) => sha))
        for (const [path, sha] of done) expect([path, await textOf('edited', path), shas.has(sha)]).toEqual([path, path, true])
      },
    }
  }

  /** A file that is there has a row, and the other way round. */
  function uploading(): Work {
    const done = new Map<number, string>()
    const path = () => `/repos/ada/edited/releases/${release}/assets`
    return {
      async step(id) {
        const bytes = random.bytes(1 + random.skewed(1_000_000))
        const headers = { Authorization: `token ${forge.ada.token}`, 'Content-Type': 'application/octet-stream' }
        const answer = await fetch(`${forge.server.origin}/api/v1${path()}?name=${id}`, { method: 'POST', headers, body: bytes as Uint8Array<ArrayBuffer> })
        expect(answer.status).toBe(201)
        done.set(((await answer.json()) as { id: number }).id, Bun.hash(bytes).toString())
      },
      async check() {
        const assets = (await ask<{ id: number; browser_download_url: string }[]>(`GET ${path()}`)).body
        expect([...done.keys()].filter((id) => !assets.some((asset) => asset.id === id))).toEqual([])
        for (const { id, browser_download_url: url } of assets) {
          const address = `${forge.server.origin}${new URL(url).pathname}`
          const bytes = await (await fetch(address, { headers: { Authorization: `token ${forge.ada.token}` } })).bytes()
          if (done.has(id)) expect(Bun.hash(bytes).toString()).toBe(done.get(id) as string)
        }
        await until(() => filesIn(join(forge.server.data, 'blobs')).length === assets.length)
      },
    }
  }

  /** A pull request is merged with its file on the branch, or open without it. */
  function merging(): Work {
    const merged = new Set<number>()
    return {
      async step(id) {
        const file = await makeFile('merged', id, { new_branch: `topic-${id}` })
        const { status, body: pull } = await ask<{ number: number }>('POST /repos/ada/merged/pulls', { title: id, head: `topic-${id}`, base: 'main' })
        expect([file.status, status]).toEqual([201, 201])
        if ((await ask(`POST /repos/ada/merged/pulls/${pull.number}/merge`, { Do: 'merge' })).status === 200) merged.add(pull.number)
      },
      async check() {
        const pulls = await listAll<{ number: number; title: string; merged: boolean; merge_commit_sha: string | null; state: string }>(
          '/repos/ada/merged/pulls?state=all',
        )
        for (const { number, title, merged: isMerged, merge_commit_sha: sha, state } of pulls) {
          if (merged.has(number)) expect([number, isMerged]).toEqual([number, true])
          const isThere = (await textOf('merged', title)) !== undefined
          expect({ number, isThere, state, hasCommit: typeof sha === 'string' && sha !== '' && isMerged }).toEqual({
            number,
            isThere: isMerged,
            state: isMerged ? 'closed' : 'open',
            hasCommit: isMerged,
          })
        }
      },
    }
  }

  /** Whatever of an issue is there is there with its label and assignee, and counted. */
  function reporting(): Work {
    const done = new Map<number, number>()
    return {
      async step(id) {
        const body = { title: id, body: `About ${id}`, labels: [label], assignees: ['ada'] }
        const made = await ask<{ number: number }>('POST /repos/ada/edited/issues', body)
        expect(made.status).toBe(201)
        done.set(made.body.number, 0)
        const comment = await ask(`POST /repos/ada/edited/issues/${made.body.number}/comments`, { body: 'Me too' })
        if (comment.status === 201) done.set(made.body.number, 1)
      },
      async check() {
        type Issue = { number: number; title: string; body: string; labels: unknown[]; assignees: unknown[]; comments: number }
        const issues = await listAll<Issue>('/repos/ada/edited/issues?type=issues&state=open')
        expect([...done.keys()].filter((number) => !issues.some((issue) => issue.number === number))).toEqual([])
        for (const { number, title, body, labels, assignees, comments } of issues) {
          expect({ number, body, labels: labels.length, assignees: assignees.length }).toEqual({ number, body: `About ${title}`, labels: 1, assignees: 1 })
          expect(comments).toBeGreaterThanOrEqual(done.get(number) ?? 0)
        }
        expect((await ask<{ open_issues_count: number }>('GET /repos/ada/edited')).body.open_issues_count).toBe(issues.length)
      },
    }
  }

  beforeAll(async () => {
    for (const name of ['edited', 'merged']) await ask('POST /user/repos', { name, auto_init: true })
    label = (await ask<{ id: number }>('POST /repos/ada/edited/labels', { name: 'bug', color: '#f00' })).body.id
    release = (await ask<{ id: number }>('POST /repos/ada/edited/releases', { tag_name: 'v1' })).body.id
  }, 60_000)

  /** Goes on until the server is gone; anything else that goes wrong is a fault. */
  async function workUntilDead(work: Work, hand: string): Promise<void> {
    for (let i = 0; ; i++) {
      try {
        await work.step(`${hand}-${i}`)
      } catch (error) {
        if (isGone(error)) return
        throw error
      }
    }
  }

  test(
    `${TIMES} times: what was answered is there, and what was not is whole or absent`,
    async () => {
      const works = [editing(), uploading(), merging(), reporting()]
      for (let time = 0; time < TIMES; time++) {
        const working = Promise.all(works.flatMap((work, w) => Array.from({ length: HANDS }, (_, hand) => workUntilDead(work, `t${time}-${w}-${hand}`))))
        await Bun.sleep(50 + random.below(900))
        await forge.restart('SIGKILL').finally(() => working)
        for (const work of works) await work.check()
      }
      await forge.server.stop()
      for (const path of storedRepositories(forge.server.data)) expect(await fsck(path)).toBe('')
      expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
    },
    (TIMES + 2) * ROUND_MS,
  )
})

/** What `fetch` throws when nobody answers, or no more. */
function isGone(error: unknown): boolean {
  return ['ConnectionRefused', 'ECONNREFUSED', 'ConnectionClosed', 'ECONNRESET', 'FailedToOpenSocket'].includes(String((error as { code?: unknown }).code))
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

/** What a start clears away it has cleared away soon. */
async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !isSo(); i++) await Bun.sleep(50)
  expect(isSo()).toBe(true)
}
