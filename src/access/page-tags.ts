import type { Context } from '#context.ts'
import { asksForText } from '#kernel/http.ts'
import { randomHex } from '#kernel/ids.ts'
import { DoneNotes } from './done-notes.ts'
import { KeptPages } from './kept-pages.ts'
import type { Level } from './levels.ts'
import type { Viewer } from './viewer.ts'

/** Pages say how long ago something was: none is shown again for longer. In seconds. */
const KEPT = 600
/** Of this start of the server: another build shows other pages. */
const run = randomHex(6)

/**
 * A page is the same for the same viewer until anything at all changes in the store (see `Answers`): who has it already is told so before
 * anything is read for it, and who has not gets what somebody else was shown (see `KeptPages`). Only for what is read; forms that ask for a
 * password again go by a clock. A page that says what a form did (`DoneNotes`) is for its reader alone, and for once.
 * Resolves when the page is to be made.
 * @param level that the page asks for
 * @throws keptPage
 */
export async function answerUnchanged(
  { services, clock }: Pick<Context, 'services' | 'clock'>,
  { request, set }: { request: Request; set: { headers: Record<string, string | number> } },
  viewer: Viewer,
  level: Level,
): Promise<void> {
  const isByBrowser = viewer.via === 'session' || (viewer.via === 'anonymous' && !request.headers.has('authorization'))
  if (request.method !== 'GET' || level !== 'read' || !isByBrowser || services.get(DoneNotes).isLeftFor(viewer)) return
  const pages = services.get(KeptPages)
  const version = pages.versionFor(request)
  if (version === undefined) return
  const form = asksForText(request) ? 'text' : 'page'
  const tag = `W/"${run}-${version}-${viewer.user?.id ?? 0}-${Math.floor(clock.seconds() / KEPT)}-${form}"`
  set.headers.ETag = tag
  await pages.enter(request, tag, viewer)
}
