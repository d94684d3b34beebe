import type { Question } from '#kernel/database/questions.ts'

export interface StackRow {
  issue_id: number
  number: number
  title: string
  base_branch: string
  /** Below zero: it comes before; above: after. */
  depth: number
}

/** Steps up or down that are followed, and pull requests that are met on the way at most: branches may lead in circles, and many to one. */
const MOST_STEPS = 10
const MOST_ROWS = 60

/** A branch of the repository itself that the changes are on. */
const head = (pull: string) => `iif(${pull}.head_repo_id = ${pull}.repo_id AND ${pull}.flow = 0, ${pull}.head_branch, NULL)`
const columns = (depth: string) => `next.issue_id, next.base_branch, ${head('next')}, ${depth}`
const own = `SELECT issue_id, base_branch, ${head('pull')} AS head_branch, 0 AS depth FROM pull JOIN issue ON issue.id = issue_id WHERE issue_id = ?1 AND is_closed = 0`
const open = 'CROSS JOIN issue AS open ON open.id = next.issue_id AND open.is_closed = 0'

/** The open ones whose branches it goes to, and those that go to its branch, step by step; not by the default branch, to which all work goes. */
const WALK = `WITH RECURSIVE below AS (${own} UNION
    SELECT ${columns('below.depth - 1')} FROM below
    CROSS JOIN pull AS next INDEXED BY pull_head ON next.head_repo_id = ?2 AND next.head_branch = below.base_branch AND next.repo_id = ?2 AND next.flow = 0 ${open}
    WHERE below.depth > -${MOST_STEPS} AND below.base_branch <> ?3 LIMIT ${MOST_ROWS}),
  above AS (${own} UNION
    SELECT ${columns('above.depth + 1')} FROM above
    CROSS JOIN pull AS next INDEXED BY pull_base ON next.repo_id = ?2 AND next.base_branch = above.head_branch ${open}
    WHERE above.depth < ${MOST_STEPS} AND above.head_branch <> ?3 LIMIT ${MOST_ROWS})
  SELECT issue_id, issue.number, issue.title, base_branch, depth FROM (SELECT * FROM below UNION SELECT * FROM above)
  CROSS JOIN issue ON issue.id = issue_id ORDER BY abs(depth), issue.number LIMIT ${MOST_ROWS}`

/** An open pull request with those that it depends on and that depend on it, the nearest first; one in a circle comes several times. */
export function stackQuestion({ issueId, repoId, defaultBranch }: { issueId: number; repoId: number; defaultBranch: string }): Question<StackRow> {
  return { sql: WALK, values: [issueId, repoId, defaultBranch] }
}
