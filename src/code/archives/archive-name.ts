import { type ArchiveFormat, archiveFormats } from '#git/archive/options.ts'
import { BadRequest } from '#kernel/errors.ts'

export const kinds = [...archiveFormats, 'bundle'] as const satisfies readonly (ArchiveFormat | 'bundle')[]
export type ArchiveKind = (typeof kinds)[number]

export const contentTypes: Record<ArchiveKind, string> = {
  tar: 'application/x-tar',
  'tar.gz': 'application/gzip',
  'tar.zst': 'application/zstd',
  zip: 'application/zip',
  bundle: 'application/x-git-bundle',
}

/** Takes `v1.0.tar.gz` apart. @throws BadRequest when the ending names no kind of archive, or nothing stands before it */
export function parseArchiveName(name: string): { revision: string; kind: ArchiveKind } {
  const kind = kinds.find((one) => name.endsWith(`.${one}`))
  const revision = kind && name.slice(0, -kind.length - 1)
  if (!kind || !revision) throw new BadRequest(`unknown format: ${name.slice(0, 200)}`)
  return { revision, kind }
}
