import { paceOf, type UserRow } from '#access/index.ts'
import { readUpload } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { TooLarge } from '#kernel/errors.ts'
import { uploadAvatar } from './change-avatar.ts'
import type { AvatarOwner } from './store.ts'

/** Takes the picture that a form brings. @throws as `uploadAvatar` and `readUpload` */
export async function uploadAvatarForm(context: Pick<Context, 'config' | 'db' | 'log'>, actor: UserRow, holder: AvatarOwner, request: Request): Promise<void> {
  const most = context.config.picture.AVATAR_MAX_FILE_SIZE
  const { file: bytes } = await readUpload(request, paceOf(context.config), (upload) => collect(upload.bytes, most))
  await uploadAvatar(context, actor, holder, bytes.toString('base64'))
}

async function collect(parts: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const taken: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    size += part.length
    if (size > most) throw new TooLarge(`The image is too large: at most ${most} bytes are allowed`)
    taken.push(part)
  }
  return Buffer.concat(taken)
}
