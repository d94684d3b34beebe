import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import type { RepoRow } from '#access/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { Settlement } from './settle.ts'

const MANY = 350

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
beforeAll(async () => {
  ada = await forge.person('ada')
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Between slices the background waits until it is let go on. */
let goOn: () => void
function hold(): void {
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  spyOn(forge.context.db, 'rest').mockImplementation(() => held)
}
beforeEach(hold)
afterEach(() => goOn())

async function settle(): Promise<void> {
  goOn()
  await forge.context.services.get(Settlement).run()
}

let made = 0
/** A repository with a label and a milestone that very many issues carry, which their timelines tell. */
function fill(labelOf: (repo: RepoRow) => Record<string, number> = (repo) => ({ repo_id: repo.id }), owner: Person = ada) {
  const repo = forge.repo(owner, `made-${++made}`)
  const at = { created_at: 1, updated_at: 1 }
  const [label, milestone] = forge.context.db.tx((tx) => {
    const ids = [
      tx.insert('label', { ...labelOf(repo), name: `l${made}`, color: 'aabbcc', ...at }),
      tx.insert('milestone', { repo_id: repo.id, title: `v${made}`, ...at }),
    ] as const
    for (let number = 1; number <= MANY; number++) {
      const closed = number % 5 === 0 ? { is_closed: 1, closed_at: 1 } : { is_closed: 0, closed_at: null }
      const issue_id = tx.insert('issue', { repo_id: repo.id, number, title: `Gear ${number}`, poster_id: 1, milestone_id: ids[1], ...closed, ...at })
      tx.insert('issue_label', { issue_id, label_id: ids[0] })
      tx.insert('comment', { issue_id, repo_id: repo.id, type: 'label', poster_id: 1, label_id: ids[0], body: '1', ...at })
      tx.insert('comment', { issue_id, repo_id: repo.id, type: 'milestone', poster_id: 1, milestone_id: ids[1], ...at })
    }
    tx.update('repository', repo.id, { last_issue_number: MANY })
    return ids
  })
  return { repo, label, milestone, api: `/repos/ada/${repo.name}`, page: `/ada/${repo.name}` }
}

type Filled = ReturnType<typeof fill>

/** All of a repository that names labels and milestones. */
function everything({ repo, label, milestone }: Filled) {
  const { db } = forge.context
  return {
    labels: db.all('SELECT l.* FROM issue_label AS l JOIN issue ON issue.id = issue_id WHERE issue.repo_id = ? ORDER BY 1, 2', repo.id),
    issues: db.all('SELECT * FROM issue WHERE repo_id = ? ORDER BY id', repo.id),
    entries: db.all('SELECT * FROM comment WHERE repo_id = ? ORDER BY id', repo.id),
    label: db.all('SELECT * FROM label WHERE id = ?', label),
    milestone: db.all('SELECT * FROM milestone WHERE id = ?', milestone),
  }
}

const naming = (column: 'label' | 'milestone', id: number) =>
  forge.context.db.find<{ n: number }>(`SELECT count(*) AS n FROM ${column === 'label' ? 'issue_label' : 'issue'} WHERE ${column}_id = ?`, id)?.n

const dangling = () => forge.context.db.all('PRAGMA foreign_key_check')
const notes = () => forge.context.db.all('SELECT * FROM unsettled_row')

const kinds = ['label', 'milestone'] as const
const remove = async (kind: (typeof kinds)[number], filled: Filled) => expect((await asAda.delete(`${filled.api}/${kind}s/${filled[kind]}`)).status).toBe(204)

const keyIn = (text: string) => /name="id" value="([\d.]+)"/.exec(text)?.[1]

/** What the page of deleted things offers to undo, if anything. */
async function offered(kind: string, { page }: Filled): Promise<string | undefined> {
  return keyIn((await hers.get(`${page}/${kind}s`)).text)
}

async function restore(kind: string, filled: Filled): Promise<void> {
  const id = (await offered(kind, filled)) ?? ''
  expect((await hers.post(`${filled.page}/${kind}s/restore`, { id })).status).toBe(303)
}

for (const kind of kinds) {
  test(`a ${kind} of very many issues goes alone, and they follow a few at a time, there and back`, async () => {
    const filled = fill()
    const before = everything(filled)
    await remove(kind, filled)
    expect(naming(kind, filled[kind])).toBeGreaterThan(MANY / 2)
    await settle()
    expect([naming(kind, filled[kind]), dangling(), notes()]).toEqual([0, [], []])
    await restore(kind, filled)
    await settle()
    expect([everything(filled), notes(), await offered(kind, filled)]).toEqual([before, [], undefined])
  })

  test(`a ${kind} comes back slowly, too, and is offered back no more from the first moment`, async () => {
    const filled = fill()
    await remove(kind, filled)
    await settle()
    hold()
    await restore(kind, filled)
    expect((await forge.get(`${filled.api}/${kind}s/${filled[kind]}`)).status).toBe(200)
    expect(naming(kind, filled[kind])).toBeLessThan(MANY / 2)
    expect(await offered(kind, filled)).toBeUndefined()
    await settle()
    expect(naming(kind, filled[kind])).toBe(MANY)
  })

  test(`a ${kind} that is restored while it is still being deleted loses nothing, nor one that is deleted while it comes back`, async () => {
    const filled = fill()
    const before = everything(filled)
    await remove(kind, filled)
    await restore(kind, filled)
    await remove(kind, filled)
    await restore(kind, filled)
    await settle()
    expect([everything(filled), notes()]).toEqual([before, []])
    hold()
    await remove(kind, filled)
    await restore(kind, filled)
    await remove(kind, filled)
    await settle()
    expect([naming(kind, filled[kind]), dangling()]).toEqual([0, []])
    await restore(kind, filled)
    await settle()
    expect(everything(filled)).toEqual(before)
  })

  test(`what a crash interrupts after a ${kind} is gone goes on afterwards`, async () => {
    const filled = fill()
    await remove(kind, filled)
    goOn()
    const { context } = forge
    await new Settlement(context).run()
    expect([naming(kind, filled[kind]), dangling(), notes()]).toEqual([0, [], []])
  })
}

test('nobody is shown a label or milestone that is gone, nor finds anything by it, while issues still name it', async () => {
  const filled = fill()
  for (const kind of kinds) await remove(kind, filled)
  const last = `${filled.api}/issues/${MANY}`
  const issue = (await forge.get<{ labels: unknown[]; milestone: unknown }>(last)).body
  expect([issue.labels, issue.milestone]).toEqual([[], null])
  expect((await forge.get(`${last}/labels`)).body).toEqual([] as never)
  const timeline = (await forge.get<{ type: string; milestone: unknown }[]>(`${last}/timeline`)).body
  expect(timeline.map(({ type, milestone }) => [type, milestone])).toEqual([['milestone', null]])
  const [name, title] = [`l${made}`, `v${made}`]
  for (const query of [`labels=${name}&milestones=${title}`, `labels=${filled.label}`]) {
    const { body } = await forge.get<{ labels: unknown[] }[]>(`${filled.api}/issues?state=all&limit=50&${query}`)
    expect(body.filter(({ labels }) => labels.length > 0)).toEqual([])
  }
  for (const query of [`labels=${name}`, `milestones=${title}`])
    expect([query, (await forge.get<unknown[]>(`/repos/issues/search?state=all&${query}`)).body]).toEqual([query, []])
  for (const none of ['no:label', 'no:milestone']) {
    expect((await hers.get(`${filled.page}/issues?q=${encodeURIComponent(`is:all ${none}`)}`)).text).toContain(`Gear ${MANY}`)
  }
})

test('pull requests are not found by a label or milestone that is gone while they still name it', async () => {
  const filled = fill()
  forge.context.db.tx((tx) => tx.run('UPDATE issue SET is_pull = 1 WHERE repo_id = ?', filled.repo.id))
  for (const kind of kinds) await remove(kind, filled)
  for (const query of [`labels=${filled.label}`, `milestone=${filled.milestone}`]) {
    const { headers } = await forge.get(`${filled.api}/pulls?state=all&limit=1&${query}`)
    expect([query, headers.get('x-total-count')]).toEqual([query, '0'])
  }
})

test('issues that still name what is gone can be changed in every way', async () => {
  const filled = fill()
  const other = (await asAda.post<{ id: number }>(`${filled.api}/milestones`, { title: 'other' })).body.id
  for (const kind of kinds) await remove(kind, filled)
  const change = async (number: number, body: unknown) => (await asAda.patch(`${filled.api}/issues/${number}`, body)).status
  expect([await change(MANY, { milestone: other }), await change(MANY - 1, { milestone: 0 }), await change(MANY - 2, { state: 'closed' })]).toEqual([
    201, 201, 201,
  ])
  expect((await asAda.delete(`${filled.api}/issues/${MANY - 3}/labels`)).status).toBe(204)
  expect((await asAda.delete(`${filled.api}/issues/${MANY - 4}`)).status).toBe(204)
  const target = forge.repo(ada, `target-${filled.repo.id}`)
  const move = { owner: 'ada', repo: target.name }
  expect((await asAda.post(`${filled.api}/issues/${MANY - 5}/move`, move)).status).toBe(201)
  await settle()
  expect(dangling()).toEqual([])
  for (const kind of kinds) await restore(kind, filled)
  await settle()
  const counted = await forge.get(`${filled.api}/milestones/${filled.milestone}`)
  const closed = forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM issue WHERE milestone_id = ? AND is_closed', filled.milestone)?.n
  expect(counted.body).toMatchObject({ open_issues: (naming('milestone', filled.milestone) ?? 0) - (closed ?? 0), closed_issues: closed })
  expect((await forge.get(`/repos/ada/${target.name}/issues/1`)).body).toMatchObject({ labels: [], milestone: null })
  expect((await forge.get(`${filled.api}/issues/${MANY}`)).body).toMatchObject({ labels: [{ id: filled.label }], milestone: { id: other } })
})

test('a repository that leaves an organization while one of its labels is being deleted does not get that back', async () => {
  await asAda.post('/orgs', { username: 'acme' })
  const org = forge.context.db.find<{ id: number }>("SELECT id FROM user WHERE name = 'acme'")?.id as number
  const filled = fill(() => ({ org_id: org }))
  forge.context.db.tx((tx) => tx.update('repository', filled.repo.id, { owner_id: org }))
  expect((await asAda.delete(`/orgs/acme/labels/${filled.label}`)).status).toBe(204)
  expect((await asAda.post(`/repos/acme/${filled.repo.name}/transfer`, { new_owner: 'ada' })).status).toBe(202)
  const id = keyIn((await hers.get('/org/acme/settings/labels')).text)
  await settle()
  hold()
  expect((await hers.post('/org/acme/settings/labels/restore', { id: id ?? '' })).status).toBe(303)
  await settle()
  expect([naming('label', filled.label), dangling()]).toEqual([0, []])
})

test('where nothing is kept the rows that name what is gone follow all the same', async () => {
  const filled = fill()
  const { config } = forge.context
  const days = config.repository.DELETED_KEPT_DAYS
  Object.assign(config.repository, { DELETED_KEPT_DAYS: 0 })
  try {
    for (const kind of kinds) await remove(kind, filled)
    await settle()
  } finally {
    Object.assign(config.repository, { DELETED_KEPT_DAYS: days })
  }
  expect([naming('label', filled.label), naming('milestone', filled.milestone), dangling(), notes()]).toEqual([0, 0, [], []])
})
