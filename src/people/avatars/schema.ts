import { t } from 'elysia'

/** As long as the largest picture that `picture.AVATAR_MAX_FILE_SIZE` can allow, line breaks included. */
const image = t.String({ maxLength: 24_000_000, description: 'a PNG, JPEG, GIF or WebP picture, base64 encoded' })

export const UpdateUserAvatarOption = t.Object({ image }, { $id: 'UpdateUserAvatarOption' })
export const UpdateRepoAvatarOption = t.Object({ image }, { $id: 'UpdateRepoAvatarOption' })
