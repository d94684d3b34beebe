import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerPart, raw, type Visit } from '#web/index.ts'
import { isSplit } from './changes-query.ts'
import type { ChangesView } from './changes-view.ts'
import { colourLines } from './colour-changes.ts'
import { lineAnchor } from './diff-anchors.ts'
import { renderContext } from './diff-rows.ts'
import { MAX_WHOLE_BYTES } from './large-blobs.ts'
import { readTextAt } from './text-at.ts'

/** Lines that are shown at once between two parts of a diff. */
const MAX_LINES = 2000

/** Lines of a file that no change is in, as rows of its table. @throws NotFound for what is no part of a file of lines */
export async function answerLines(context: Pick<Context, 'git' | 'services'>, visit: Visit, { now, ends, query, notesOf }: ChangesView): Promise<Response> {
  const { of: path = '' } = query
  const [first, last, shift] = [query.first, query.last, query.shift].map((text) => (/^-?\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN))
  if (!first || !last || shift === undefined || Number.isNaN(shift) || first < 1 || last < first) throw new NotFound()
  const { tree } = await context.git.look('links', now.repo.row.id, { oid: now.commit })
  const found = await context.git.run('openPath', ends.where, { tree, path, maxBytes: MAX_WHOLE_BYTES })
  if (found?.data === undefined) throw new NotFound()
  const { text } = (await readTextAt(context, ends.where, { tree, path, oid: found.oid }, found.data)) ?? { text: '' }
  const lines = text.split('\n').slice(first - 1, Math.min(last, first + MAX_LINES - 1))
  const colours = await colourLines(context, visit.viewer, { oid: found.oid, text }, { path, first, count: lines.length })
  const notes = await notesOf?.([path])
  const rows = renderContext(path, lines, { from: first, shift }, { isSplit: isSplit(query, visit), anchor: lineAnchor(path), notes, colours })
  return answerPart(
    <table>
      <tbody>{raw(rows)}</tbody>
    </table>,
  )
}
