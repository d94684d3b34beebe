import { t } from 'elysia'
import type { Config } from '#config.ts'

/** As long as the largest picture that `picture.AVATAR_MAX_FILE_SIZE` can allow, line breaks included. */
const image = t.String({ maxLength: 24_000_000, description: 'a PNG, JPEG, GIF or WebP image, base64 encoded' })

export const UpdateUserAvatarOption = t.Object({ image }, { $id: 'UpdateUserAvatarOption' })
export const UpdateRepoAvatarOption = t.Object({ image }, { $id: 'UpdateRepoAvatarOption' })

/** Bytes of a body with the largest picture that is taken, line breaks and what is around it included. */
export function pictureBodyLimit({ picture }: Config): number {
  return Math.ceil(picture.AVATAR_MAX_FILE_SIZE * 1.5) + 1024
}
