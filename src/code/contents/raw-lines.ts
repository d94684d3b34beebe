import type { RepoAccess } from '#access/index.ts'
import { MAX_WHOLE_BYTES, type RefPath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { isBinary } from '#git/diff/line-stats.ts'
import { BadRequest, NotFound, TooLarge } from '#kernel/errors.ts'
import { rawHeaders } from '#kernel/http.ts'
import { parseLines } from './line-range.ts'

/**
 * Some lines of a file as they are, for who asks with `?lines=3-9`.
 * @throws BadRequest for what is no range, or no text; NotFound where the file is not that long; TooLarge for files that are never read whole
 */
export async function serveLines(context: Pick<Context, 'git'>, { row }: RepoAccess, { commit, path }: RefPath, asked: string): Promise<Response> {
  const range = parseLines(asked)
  if (!range) throw new BadRequest(`Cannot read lines "${asked}": use a line number (3) or a range (3-9)`)
  const { tree } = await context.git.look('links', row.id, { oid: commit })
  const found = await context.git.run('openPath', row.id, { tree, path, maxBytes: MAX_WHOLE_BYTES })
  if (!found) throw new NotFound()
  if (found.data === undefined) throw new TooLarge(`Cannot read lines: the file is larger than ${MAX_WHOLE_BYTES} bytes`)
  if (isBinary(found.data)) throw new BadRequest('Cannot read lines: the file is binary')
  const part = cutLines(found.data, range.first, range.last)
  if (part.length === 0) throw new NotFound(`The file has fewer than ${range.first} lines`)
  return new Response(part, { headers: { ...rawHeaders, 'Content-Type': 'text/plain; charset=utf-8', ETag: `"${found.oid}-${range.first}-${range.last}"` } })
}

const LF = 10

function cutLines(data: Uint8Array, first: number, last: number): Uint8Array<ArrayBuffer> {
  let [line, start] = [1, 0]
  while (line < first && start < data.length) {
    const end = data.indexOf(LF, start)
    start = end < 0 ? data.length : end + 1
    line++
  }
  let end = start
  for (; line <= last && end < data.length; line++) {
    const next = data.indexOf(LF, end)
    end = next < 0 ? data.length : next + 1
  }
  return data.slice(start, end)
}
