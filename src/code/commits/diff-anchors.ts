import { sha1Hex } from '#kernel/ids.ts'

/** The id of a file's part of a diff, as Gitea has it. */
export function anchorOf(path: string): string {
  return `diff-${sha1Hex(path)}`
}

/** What the ids of a file's lines begin with: there may be thousands. */
export function lineAnchor(path: string): string {
  return `d${sha1Hex(path).slice(0, 8)}`
}
