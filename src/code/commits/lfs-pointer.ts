/** Pointers are smaller than this. Source: git-lfs `docs/spec.md`. */
const MAX_POINTER_BYTES = 1024

const pointer = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n/

/** What a git-lfs pointer points to; nothing for every other content. */
export function parseLfsPointer(data: Uint8Array): { lfs_oid: string; lfs_size: number } | undefined {
  if (data.length >= MAX_POINTER_BYTES) return undefined
  const found = pointer.exec(Buffer.from(data).toString('latin1'))
  return found ? { lfs_oid: found[1] as string, lfs_size: Number(found[2]) } : undefined
}
