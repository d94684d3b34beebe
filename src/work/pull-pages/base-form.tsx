import { HEADS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { listBranches } from '#repositories/refs/index.ts'
import { Select, TextField } from '#web/index.ts'
import type { PullRow } from '#work/pulls/index.ts'

/** As many branches are there to choose from; where there are more, their names are typed. */
const MAX_BASES = 100

/** The branches that it could be merged into, its own base among them; undefined when there are too many. */
export function listBases(db: Db, { repo_id, base_branch }: PullRow): string[] | undefined {
  const found = listBranches(db, repo_id, { limit: MAX_BASES + 1, offset: 0 }).map(({ name }) => name.slice(HEADS.length))
  return found.length > MAX_BASES ? undefined : [...new Set([...found, base_branch])]
}

interface Props {
  address: string
  pull: PullRow
  branches: readonly string[] | undefined
}

/** Has a pull request merged into another branch. */
export function BaseForm({ address, pull, branches }: Props) {
  const field = { name: 'base', label: 'Into' }
  return (
    <details class="menu" name="menu">
      <summary>Change the base</summary>
      <form class="menu-body fields" method="post" action={`${address}/base`}>
        {branches ? (
          <Select {...field} options={branches.map((name) => [name, name] as const)} selected={pull.base_branch} />
        ) : (
          <TextField {...field} value={pull.base_branch} most={1024} isRequired isExact autocomplete="off" />
        )}
        <button type="submit">Save</button>
      </form>
    </details>
  )
}
