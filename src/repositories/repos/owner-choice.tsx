import { accessStore, canSeeAccount, type Member, mayCreateRepoIn, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { listOrgs } from '#people/orgs/index.ts'
import { Select } from '#web/index.ts'

/** As many organizations are there to choose from. */
const MAX_ORGS = 100

/** Whose a repository can be. */
export interface Owners {
  rows: UserRow[]
  /** Whether there are no others. */
  areAll: boolean
}

/** The viewer, and the organizations in which they may make repositories. */
export async function ownersFor({ db }: Pick<Context, 'db'>, viewer: Member): Promise<Owners> {
  const { rows, total } = await listOrgs(db, viewer, { page: 1, limit: MAX_ORGS, offset: 0 }, viewer.user.id)
  return { rows: [viewer.user, ...rows.filter((org) => mayCreateRepoIn(db, viewer.user, org))], areAll: total <= MAX_ORGS }
}

/** Who was chosen by `OwnerChoice`. @throws Unprocessable for a name that the viewer knows nobody of */
export function getChosenOwner({ db }: Pick<Context, 'db'>, viewer: Member, name: string): UserRow {
  const owner = accessStore.findUserByName(db, name)
  if (!owner || !canSeeAccount(db, viewer, owner)) throw new Unprocessable(`Owner “${name}” not found`)
  return owner
}

interface Props {
  names: readonly string[]
  areAll: boolean
  selected: string | undefined
}

/** Chosen from a list, or typed where that does not have them all. */
export function OwnerChoice({ names, areAll, selected }: Props) {
  if (areAll) return <Select name="owner" label="Owner" options={names.map((name) => [name, name])} selected={selected} />
  return (
    <label>
      Owner
      <input name="owner" list="owners" value={selected ?? names[0]} maxlength="100" autocapitalize="none" spellcheck="false" required />
      <datalist id="owners">
        {names.map((name) => (
          <option value={name} />
        ))}
      </datalist>
    </label>
  )
}
