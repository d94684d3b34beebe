import { afterAll, expect, spyOn, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { issueWithComments } from '../../../test/worlds.ts'
import { countReactions, deleteReaction, findReaction, insertReaction, listReactions, listReactionsOfThread, type SignCount } from './store.ts'

const MANY = 1100

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
const asAda = forge.asUser(ada)
forge.repo(ada, 'engine')
const issue = await issueWithComments(forge.asUser('ada'), { title: 'Loved', comments: ['Done'] })
const [comment = 0] = issue.comments
const { db } = forge.context

test('very many reactions to a comment are listed whole and in order', async () => {
  const path = `GET /repos/ada/engine/issues/comments/${comment}/reactions`
  const none = await asAda.send<null>(path)
  db.tx((tx) => {
    for (let n = 0; n < MANY; n++) {
      tx.insert('reaction', { issue_id: issue.id, comment_id: comment, user_id: ada.row.id, content: `sign${n}`, created_at: 1_700_000_000 + n })
    }
  })
  const { status, headers, body } = await asAda.send<{ content: string; user: { login: string } }[]>(path)
  expect([none.body, status, headers.get('content-type')?.includes('json')]).toEqual([null, 200, true])
  expect(body.map(({ content, user }) => `${user.login} ${content}`)).toEqual(Array.from({ length: MANY }, (_, n) => `ada sign${n}`))
})

test('how often a sign was set, and which was set first, is known without looking at all who set it', async () => {
  await asAda.post('/repos/ada/engine/issues', { title: 'Counted' })
  const { body: other } = await asAda.post<{ id: number }>('/repos/ada/engine/issues/2/comments', { body: 'Counted' })
  const { id: issueId } = db.find<{ id: number }>('SELECT id FROM issue WHERE number = 2') as { id: number }
  const people = db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM user WHERE id = ?', ada.row.id) ?? {}
    return Array.from({ length: 20 }, (_, n) => tx.insert('user', { ...row, name: `p${n}`, lower_name: `p${n}`, email: `p${n}@example.org` }))
  })
  const counted = (userId: number) => listReactionsOfThread(db, issueId, [other.id], userId)
  const lookedAt = (userId: number) =>
    db.all<SignCount>(
      `SELECT comment_id, content, count(*) AS count, max(user_id = ?) AS is_own FROM reaction WHERE issue_id = ? GROUP BY comment_id, content ORDER BY min(id)`,
      userId,
      issueId,
    )
  for (let step = 0; step < 630; step++) {
    const [userId, content] = [people[(step * 7) % 20] as number, ['heart', 'eyes', 'rocket'][(step * 5) % 3] as string]
    const target = { issueId, commentId: step % 2 === 0 ? null : other.id }
    db.tx((tx) => (findReaction(tx, target, userId, content) ? deleteReaction(tx, target, userId, content) : insertReaction(tx, target, userId, content, step)))
    if (step % 20 === 19) expect(counted(userId)).toEqual(lookedAt(userId))
    if (step % 20 === 19) expect(countReactions(db, target)).toBe(listReactions(db, target).length)
  }
  expect(counted(0).length).toBeGreaterThan(0)
  db.tx((tx) => tx.run('DELETE FROM user WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(people.slice(1))))
  expect(counted(people[0] as number)).toEqual(lookedAt(people[0] as number))
  const seen = spyOn(db, 'all')
  counted(0)
  const [sql = ''] = seen.mock.calls[0] ?? []
  seen.mockRestore()
  expect(sql).toContain('reaction_count')
})
