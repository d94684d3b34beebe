import type { Context } from '#context.ts'
import { createToken, createUser } from '#people/users/index.ts'
import { createRepo } from '#repositories/repos/index.ts'

const COMMENTS_EACH = 10
const LABELS = 20
/** As many issues hold the rare word, however many there are: a search for it has the same page to make. */
const NEEDLES = 10

/**
 * Makes `ada/engine` with `count` issues, each with ten comments: half of them are closed, each label is on a twentieth of them, and ten
 * have a word of their own. @returns a token of ada's
 */
export async function fillIssues(context: Context, count: number): Promise<string> {
  const person = (name: string) => createUser(context, { username: name, email: `${name}@example.org` })
  const [ada, bob] = [await person('ada'), await person('bob')]
  const { db } = context
  const repo = createRepo(context, { owner: ada, actor: ada, name: 'engine', private: false })
  const now = Math.floor(Date.now() / 1000)
  db.tx((tx) => {
    for (let n = 0; n < LABELS; n++) tx.insert('label', { repo_id: repo.id, name: `label-${n}`, color: 'aabbcc', created_at: now, updated_at: now })
    tx.insert('milestone', { repo_id: repo.id, title: 'v1', created_at: now, updated_at: now })
  })
  for (let first = 1; first <= count; first += 1000) {
    db.tx((tx) => {
      for (let n = first; n < Math.min(first + 1000, count + 1); n++) {
        const at = now - count + n
        const isClosed = n % 2
        const title = `Issue ${n} about a ${n % 3 === 0 ? 'gear' : 'wheel'}`
        const body = `It turns ${n} times${n % (count / NEEDLES) === 2 ? ' around needle42' : ''} and then stops.`
        const id = tx.insert('issue', {
          repo_id: repo.id,
          number: n,
          poster_id: n % 5 === 0 ? bob.id : ada.id,
          title,
          body,
          is_closed: isClosed,
          closed_at: isClosed ? at : null,
          milestone_id: n % 10 === 0 ? 1 : null,
          created_at: at,
          updated_at: at,
        })
        tx.run('INSERT INTO issue_search (rowid, title, body, repo) VALUES (?, ?, ?, ?)', id, title, body, `r${repo.id}`)
        tx.run('INSERT INTO issue_label (issue_id, label_id) VALUES (?, ?)', id, 1 + (n % LABELS))
        if (n % 7 === 0) tx.run('INSERT INTO issue_assignee (issue_id, user_id) VALUES (?, ?)', id, bob.id)
        for (let k = 0; k < COMMENTS_EACH; k++) {
          const text = `Comment ${k} on ${n}: the ${k % 4 === 0 ? 'gear' : 'axle'} is loose`
          const written = { issue_id: id, repo_id: repo.id, type: 'comment', poster_id: ada.id, body: text, created_at: at, updated_at: at }
          const comment = tx.insert('comment', written)
          tx.run('INSERT INTO comment_search (rowid, body, repo) VALUES (?, ?, ?)', comment, text, `r${repo.id}`)
        }
      }
      tx.run('UPDATE repository SET last_issue_number = ? WHERE id = ?', count, repo.id)
    })
  }
  return createToken(context, ada, 'bench', ['all']).token
}
