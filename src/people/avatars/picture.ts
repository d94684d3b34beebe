import type { Config } from '#config.ts'
import { BadRequest, TooLarge, Unprocessable } from '#kernel/errors.ts'

/** What every browser shows and none runs, by the ending that its file gets. */
export const pictureTypes = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const
export type PictureKind = keyof typeof pictureTypes

export interface Picture {
  kind: PictureKind
  bytes: Uint8Array
}

/**
 * The picture that a body brings. Its kind and size are read from its header; pixels are left to whoever looks at it.
 * @throws BadRequest when it is not base64; TooLarge beyond the bytes, Unprocessable beyond the width or height that the settings allow, or when it is no picture
 */
export async function readPicture(config: Pick<Config, 'picture'>, image: string): Promise<Picture> {
  return readPictureBytes(config, decode(image))
}

/** The same of a picture's own bytes. @throws TooLarge, Unprocessable */
export async function readPictureBytes({ picture: limits }: Pick<Config, 'picture'>, bytes: Uint8Array): Promise<Picture> {
  if (bytes.length > limits.AVATAR_MAX_FILE_SIZE) {
    throw new TooLarge(`[image]: the image has ${bytes.length} bytes, the limit is ${limits.AVATAR_MAX_FILE_SIZE}`)
  }
  const found = await readHeader(bytes)
  const kind = found?.format ?? ''
  if (!found || !isPictureKind(kind)) throw new Unprocessable('[image]: the image format is not supported, use PNG, JPEG, GIF or WebP')
  if (found.width > limits.AVATAR_MAX_WIDTH || found.height > limits.AVATAR_MAX_HEIGHT) {
    throw new Unprocessable(
      `[image]: the image has ${found.width} × ${found.height} pixels, the limit is ${limits.AVATAR_MAX_WIDTH} × ${limits.AVATAR_MAX_HEIGHT}`,
    )
  }
  return { kind, bytes }
}

function decode(image: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(image, { lastChunkHandling: 'strict' })
  } catch (cause) {
    throw new BadRequest('[image]: invalid base64, use padded base64 without a "data:" prefix', { cause })
  }
}

async function readHeader(bytes: Uint8Array): Promise<Bun.Image.Metadata | undefined> {
  try {
    const found = await new Bun.Image(bytes).metadata()
    return found.format === 'gif' ? { ...found, ...onScreen(bytes, found) } : found
  } catch {
    return undefined
  }
}

/** Whoever shows a GIF sets its logical screen aside, however small the first frame, whose size `Bun.Image` tells. Source: GIF89a §18. */
function onScreen(bytes: Uint8Array, frame: { width: number; height: number }): { width: number; height: number } {
  const header = new DataView(bytes.buffer, bytes.byteOffset)
  return { width: Math.max(frame.width, header.getUint16(6, true)), height: Math.max(frame.height, header.getUint16(8, true)) }
}

function isPictureKind(format: string): format is PictureKind {
  return Object.hasOwn(pictureTypes, format)
}
