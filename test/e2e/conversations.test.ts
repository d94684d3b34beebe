import { beforeAll, expect, test } from 'bun:test'
import { ADMIN_PASSWORD, runBinary } from '../binary.ts'
import { soak } from '../soak.ts'
import { forgeForStories, story } from './forge.ts'

/** An even number: half of them close their issues. */
const PEOPLE = soak(16, 50)
const KILLS = soak(2, 10)
/** Issues between two kills. */
const ISSUES_EACH = 25

interface Issue {
  number: number
  title: string
  state: string
  comments: number
  labels: { name: string }[]
  user: { login: string }
}

story(`${PEOPLE} people talk at once`, () => {
  const forge = forgeForStories()
  const people = Array.from({ length: PEOPLE }, (_, n) => `p${n}`)
  let token = ''
  let label = 0

  /** As an administrator who acts as somebody else. */
  async function as<T>(name: string, line: string, body?: unknown): Promise<{ status: number; body: T; total: number }> {
    const [method, path] = line.split(' ') as [string, string]
    const answer = await fetch(`${forge.server.origin}/api/v1${path}`, {
      method,
      headers: { Authorization: `token ${token}`, Sudo: name, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T, total: Number(answer.headers.get('x-total-count')) }
  }

  const all = async (repo: string, what: string) => {
    const found: Issue[] = []
    for (let page = 1; ; page++) {
      const { body, total } = await as<Issue[]>('ada', `GET /repos/ada/${repo}/${what}limit=50&page=${page}`)
      found.push(...body)
      if (found.length >= total) return found
    }
  }

  beforeAll(async () => {
    const headers = { Authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`, 'Content-Type': 'application/json' }
    const asked = { method: 'POST', headers, body: JSON.stringify({ name: 'story', scopes: ['all'] }) }
    token = ((await (await fetch(`${forge.server.origin}/api/v1/users/admin/tokens`, asked)).json()) as { sha1: string }).sha1
    const body = (name: string) => ({ username: name, email: `${name}@example.org`, password: 'a long enough password', must_change_password: false })
    for (const name of [...people, 'leaver']) expect((await as('admin', 'POST /admin/users', body(name))).status).toBe(201)
    for (const name of ['busy', 'left', 'fragile']) {
      await as('ada', 'POST /user/repos', { name })
      label = (await as<{ id: number }>('ada', `POST /repos/ada/${name}/labels`, { name: 'hot', color: '#f00' })).body.id
      await Promise.all([...people, 'leaver'].map((person) => as('ada', `PUT /repos/ada/${name}/collaborators/${person}`, { permission: 'write' })))
    }
    await as('ada', 'POST /repos/ada/busy/milestones', { title: 'v1' })
  }, 120_000)

  test('and no number is missing or there twice, no comment is lost, and every count is right', async () => {
    const place = '/repos/ada/busy/issues'
    const statuses = await Promise.all(
      people.map(async (name, n) => {
        const { body, status } = await as<Issue>(name, `POST ${place}`, { title: `By ${name}`, milestone: 1 })
        const own = `${place}/${body.number}`
        const answers = await Promise.all([
          as(name, `POST ${own}/comments`, { body: 'One' }),
          as(name, `POST ${place}/1/comments`, { body: 'All in one place' }),
          as(name, `POST ${own}/labels`, { labels: ['hot'] }),
          n % 2 === 0 ? as(name, `PATCH ${own}`, { state: 'closed' }) : as(name, `PATCH ${own}`, { title: `By ${name} indeed` }),
        ])
        return [status, ...answers.map((answer) => answer.status)]
      }),
    )
    expect(statuses).toEqual(Array(PEOPLE).fill([201, 201, 201, 200, 201]))
    const issues = await all('busy', 'issues?state=all&')
    expect(issues.map(({ number }) => number).sort((a, b) => a - b)).toEqual(people.map((_, n) => n + 1))
    expect(issues.filter(({ labels }) => labels.length === 1)).toHaveLength(PEOPLE)
    expect(issues.find(({ number }) => number === 1)?.comments).toBe(PEOPLE + 1)
    expect((await as('ada', `GET ${place}/comments`)).total).toBe(2 * PEOPLE)
    expect((await as('ada', 'GET /repos/ada/busy')).body).toMatchObject({ open_issues_count: PEOPLE / 2 })
    expect((await as('ada', 'GET /repos/ada/busy/milestones/v1')).body).toMatchObject({ open_issues: PEOPLE / 2, closed_issues: PEOPLE / 2 })
    expect((await as('ada', `GET ${place}?labels=hot&state=closed`)).total).toBe(PEOPLE / 2)
  })

  test('and somebody who is deleted on the command line is nobody in the very next list', async () => {
    const authors = async () => (await as<Issue[]>('ada', 'GET /repos/ada/left/issues?state=all&limit=50')).body.map(({ user }) => user.login)
    for (const name of ['p0', 'leaver']) expect((await as(name, 'POST /repos/ada/left/issues', { title: `By ${name}` })).status).toBe(201)
    expect(await authors()).toContain('leaver')
    const { exitCode, stderr } = await runBinary(['admin', 'user', 'delete', '--data', forge.server.data, '--username', 'leaver', '--purge'])
    expect([exitCode, stderr]).toEqual([0, expect.anything()])
    expect(await authors()).toEqual(['Ghost', 'p0'])
  })

  test(`and whatever was answered is there, whole, when the server is killed (${KILLS} times)`, async () => {
    const place = '/repos/ada/fragile/issues'
    const written = new Map<number, { title: string; comments: string[]; isClosed: boolean }>()
    const refused: number[] = []
    let next = Promise.withResolvers<void>()
    const talk = async (name: string) => {
      for (let n = 0; ; n++) {
        const { body, status } = await as<Issue>(name, `POST ${place}`, { title: `${name} says ${n}`, labels: [label] })
        if (status !== 201) return void refused.push(status)
        const one = { title: body.title, comments: [] as string[], isClosed: false }
        written.set(body.number, one)
        if (written.size % ISSUES_EACH === 0) next.resolve()
        const comment = await as<{ body: string }>(name, `POST ${place}/${body.number}/comments`, { body: `word${body.number}` })
        one.comments.push(comment.body.body)
        one.isClosed = (await as<Issue>(name, `PATCH ${place}/${body.number}`, { state: 'closed' })).body.state === 'closed'
      }
    }
    for (let kill = 0; kill < KILLS; kill++) {
      next = Promise.withResolvers()
      const talking = people.slice(0, 20).map((name) => talk(name).catch(() => {}))
      await next.promise
      await forge.restart('SIGKILL')
      await Promise.all(talking)
    }
    expect(refused).toEqual([])
    const issues = await all('fragile', 'issues?state=all&')
    expect(issues.map(({ number }) => number).sort((a, b) => a - b)).toEqual(issues.map((_, n) => n + 1))
    const byNumber = new Map(issues.map((issue) => [issue.number, issue]))
    for (const [number, { title, comments, isClosed }] of written) {
      const found = byNumber.get(number)
      expect([found?.title, found?.labels.length]).toEqual([title, 1])
      expect(found?.comments).toBeGreaterThanOrEqual(comments.length)
      if (isClosed) expect(found?.state).toBe('closed')
    }
    expect(written.size).toBeGreaterThan(20)
    const open = issues.filter(({ state }) => state === 'open').length
    expect((await as('ada', 'GET /repos/ada/fragile')).body).toMatchObject({ open_issues_count: open })
    expect((await as('ada', `GET ${place}/comments`)).total).toBe(issues.reduce((sum, { comments }) => sum + comments, 0))
    const last = [...written].findLast(([, { comments }]) => comments.length > 0)?.[0]
    expect((await as<Issue[]>('ada', `GET ${place}?state=all&q=word${last}`)).body).toMatchObject([{ number: last }])
    await forge.restartInPlace(async () => {
      const doctor = await runBinary(['doctor', '--data', forge.server.data])
      expect([doctor.exitCode, doctor.stdout]).toEqual([0, expect.anything()])
    })
  }, 120_000)
})
