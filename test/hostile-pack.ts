import type { BuildOptions } from './pack-builder.ts'
import { idOf, PackBuilder } from './pack-builder.ts'

/** Packs that no server may store, each with what the pusher must be told. All are refused with the default limits and an empty store. */
export interface HostilePack {
  name: string
  pack: Uint8Array
  expected: RegExp
}

/** An id that no object of these packs has. */
export const missing = '1234567890123456789012345678901234567890'
export const text = 'some text of which deltas can copy a part or all\n'
/** The id of `text` as a blob. */
export const blob = idOf('blob', text)

/** The pack that `fill` fills, built with the options it returns. */
export function built(name: string, expected: RegExp, fill: (builder: PackBuilder) => BuildOptions | void): HostilePack {
  const builder = new PackBuilder()
  const options = fill(builder) ?? {}
  return { name, pack: builder.build(options), expected }
}
