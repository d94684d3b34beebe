import { expect } from 'bun:test'
import { base64, type Desk, hashOf, type Work } from './work.ts'

/** Whatever of an issue is there is there with its label and assignee, and counted. */
export function reporting(desk: Desk): Work {
  const done = new Map<number, number>()
  let label = 0
  return {
    async prepare() {
      await desk.expectStatus('POST /user/repos', { name: 'reported', auto_init: true }, 201)
      label = (await desk.expectStatus<{ id: number }>('POST /repos/ada/reported/labels', { name: 'bug', color: '#f00' }, 201)).id
    },
    async step(id) {
      const body = { title: id, body: `About ${id}`, labels: [label], assignees: ['ada'] }
      const { number } = await desk.expectStatus<{ number: number }>('POST /repos/ada/reported/issues', body, 201)
      done.set(number, 0)
      await desk.expectStatus(`POST /repos/ada/reported/issues/${number}/comments`, { body: 'Me too' }, 201)
      done.set(number, 1)
    },
    async check() {
      type Issue = { number: number; title: string; body: string; labels: unknown[]; assignees: unknown[]; comments: number }
      const issues = await desk.listAll<Issue>('/repos/ada/reported/issues?type=issues&state=open')
      expect([...done.keys()].filter((number) => !issues.some((issue) => issue.number === number))).toEqual([])
      for (const { number, title, body, labels, assignees, comments } of issues) {
        expect({ number, body, labels: labels.length, assignees: assignees.length }).toEqual({ number, body: `About ${title}`, labels: 1, assignees: 1 })
        expect(comments).toBeGreaterThanOrEqual(done.get(number) ?? 0)
      }
      expect((await desk.ask<{ open_issues_count: number }>('GET /repos/ada/reported')).body.open_issues_count).toBe(issues.length)
    },
  }
}

/** A file beside an issue is there with all its bytes, or is not listed. */
export function attaching(desk: Desk): Work {
  const done = new Map<number, string>()
  const deleted = new Set<number>()
  const path = '/repos/ada/attached/issues/1/assets'
  return {
    async prepare() {
      await desk.expectStatus('POST /user/repos', { name: 'attached' }, 201)
      await desk.expectStatus('POST /repos/ada/attached/issues', { title: 'Files' }, 201)
    },
    async step(id) {
      const bytes = desk.noise(300_000)
      const { status, body } = await desk.attach(path, `${id}.log`, bytes)
      expect([status, body]).toMatchObject([201, {}])
      done.set(body.id, hashOf(bytes))
      if (desk.random.below(4) > 0) return
      done.delete(body.id)
      await desk.expectStatus(`DELETE ${path}/${body.id}`, undefined, 204)
      deleted.add(body.id)
    },
    async check() {
      const assets = (await desk.ask<{ id: number; browser_download_url: string }[]>(`GET ${path}`)).body
      const ids = assets.map(({ id }) => id)
      expect([...done.keys()].filter((id) => !ids.includes(id))).toEqual([])
      expect(ids.filter((id) => deleted.has(id))).toEqual([])
      for (const { id, browser_download_url: url } of assets.slice(-40)) {
        const hash = hashOf(await desk.download(url))
        expect([id, hash]).toEqual([id, done.get(id) ?? hash])
      }
    },
  }
}

/** A file that is beside a release has a row, and the other way round. */
export function releasing(desk: Desk): Work {
  const done = new Map<number, string>()
  let path = ''
  return {
    async prepare() {
      await desk.expectStatus('POST /user/repos', { name: 'released', auto_init: true }, 201)
      const { id } = await desk.expectStatus<{ id: number }>('POST /repos/ada/released/releases', { tag_name: 'v1' }, 201)
      path = `/repos/ada/released/releases/${id}/assets`
    },
    async step(id) {
      const bytes = desk.noise(1_000_000)
      const { status, body } = await desk.upload(`${path}?name=${id}`, bytes)
      expect([status, body]).toMatchObject([201, {}])
      done.set(body.id, hashOf(bytes))
    },
    async check() {
      const assets = (await desk.ask<{ id: number; browser_download_url: string }[]>(`GET ${path}`)).body
      expect([...done.keys()].filter((id) => !assets.some((asset) => asset.id === id))).toEqual([])
      for (const { id, browser_download_url: url } of assets.slice(-20)) {
        const hash = hashOf(await desk.download(url))
        expect([id, hash]).toEqual([id, done.get(id) ?? hash])
      }
    },
  }
}

/** A page of a wiki says what was last acknowledged, or what somebody was about to write. */
export function writingWiki(desk: Desk): Work {
  const pages = new Map<string, { said?: string; next: string }>()
  const contentOf = (title: string, text: string) => ({ title, content_base64: base64(text), message: text })
  return {
    async prepare() {
      await desk.expectStatus('POST /user/repos', { name: 'explained' }, 201)
    },
    async step(id) {
      // A dash stands for a space in names of pages.
      const title = id.replace(/-\d+$/, '').replaceAll('-', 'x')
      const said = pages.get(title)?.said
      pages.set(title, { said, next: id })
      if (said === undefined) await desk.expectStatus('POST /repos/ada/explained/wiki/new', contentOf(title, id), 201)
      else await desk.expectStatus(`PATCH /repos/ada/explained/wiki/page/${title}`, contentOf(title, id), 200)
      pages.set(title, { said: id, next: id })
    },
    async check() {
      for (const [title, { said, next }] of pages) {
        const { status, body } = await desk.ask<{ content_base64: string }>(`GET /repos/ada/explained/wiki/page/${title}`)
        const text = status === 404 ? undefined : Buffer.from(body.content_base64, 'base64').toString()
        expect(text).toBeOneOf([said, next])
      }
      pages.clear()
    },
  }
}
