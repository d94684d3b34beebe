import { atLeast } from '#access/index.ts'
import { ActionButton, type Visit } from '#web/index.ts'
import type { PullRow } from '#work/pulls/index.ts'

interface Props {
  visit: Visit
  address: string
  pull: PullRow
}

/** Of a branch in a fork: whether whoever may merge it may push to it, and for who owns it the way to change that. Nothing where it is no fork. */
export function MaintainerEdits({ visit, address, pull }: Props) {
  const { head_repo_id: id, head_branch: branch, allow_maintainer_edit: isAllowed } = pull
  const home = id === null || id === pull.repo_id ? undefined : visit.findRepo(id)
  if (home === undefined) return null
  return (
    <section>
      <h3>Edits from maintainers</h3>
      <p class="faint">
        {isAllowed === 1 ? 'Maintainers can push to this branch: ' : 'Only users with write access to the fork can push to this branch: '}
        <code>{`git push ${visit.at`${home.owner.name}/${home.row.name}.git`} HEAD:${branch}`}</code>
      </p>
      {atLeast(home.permission.of('code'), 'write') && (
        <ActionButton action={`${address}/edits`} name="allow" value={isAllowed === 1 ? 'false' : 'true'}>
          {isAllowed === 1 ? 'Disallow edits from maintainers' : 'Allow edits from maintainers'}
        </ActionButton>
      )}
    </section>
  )
}
