import type { UserRow } from '#access/index.ts'
import type { Visit } from './visit.ts'

interface AvatarProps {
  visit: Visit
  of: Pick<UserRow, 'id' | 'avatar'>
  /** Pixels. */
  size?: 16 | 20 | 24 | 32 | 40 | 64 | 96
}

/** The picture of a person or an organization, beside its name, which says who it is. */
export function Avatar({ visit, of, size = 20 }: AvatarProps) {
  return <img class="avatar" src={visit.to`/avatars/${of.avatar || of.id}`} alt="" width={size} height={size} loading="lazy" />
}
