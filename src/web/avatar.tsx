import type { UserRow } from '#access/index.ts'
import type { Visit } from './visit.ts'

/** An account as it lies in the store, or as records have it. */
export type Pictured = Pick<UserRow, 'id' | 'avatar'> | { avatar_url: string }

interface AvatarProps {
  visit: Visit
  of: Pictured
  /** Pixels. */
  size?: 16 | 20 | 24 | 32 | 40 | 64 | 96
}

/** The picture of a person or an organization, beside its name, which says who it is. */
export function Avatar({ visit, of, size = 20 }: AvatarProps) {
  return <img class="avatar" src={visit.to`/avatars/${pictureOf(of)}`} alt="" width={size} height={size} loading="lazy" />
}

/** Records name the server as its settings do, which may not be how this browser reaches it. */
function pictureOf(of: Pictured): string | number {
  return 'avatar_url' in of ? of.avatar_url.slice(of.avatar_url.lastIndexOf('/') + 1) : of.avatar || of.id
}
