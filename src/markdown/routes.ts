import { Elysia, t } from 'elysia'
import { gate, operation, paceOf, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { rawHeaders, readBody } from '#kernel/http.ts'
import { readsBody } from '#kernel/slice.ts'
import type { RenderJob } from './job.ts'
import { lookUp } from './known.ts'
import { contextSegments, type Mode, modes, placeOf } from './place.ts'
import { openRenderThread } from './render-thread.ts'
import { findReadable } from './rules.ts'
import { MAX_TEXT, MarkdownOption, MarkdownRender, MarkupOption, type MarkupRequest } from './schema.ts'

const headers = { ...rawHeaders, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }

const html = { produces: ['text/html'] }

/** What Gitea's own renderer takes for Markdown. */
const markdownFile = /\.(?:md|markdown|mdown|mkd|livemd)$/i
/** Texts up to this length have a thread of their own, and little time in it: none waits for one that is slow because it is long. */
const SHORT = 16_384
const SHORT_MS = 500

interface Asked {
  viewer: Viewer
  request: Request
}

export function markdown(context: Context) {
  const threads = { short: openRenderThread(), long: openRenderThread() }
  const answer = async (job: RenderJob, { viewer, request }: Asked) => {
    const line = lineOf(job, viewer, context.clients.of(request))
    const terms = { line, signal: request.signal }
    const { html } = await (job.text.length <= SHORT ? threads.short.run(job, { ...terms, milliseconds: SHORT_MS }) : threads.long.run(job, terms))
    return new Response(html, { headers })
  }
  return new Elysia({ name: 'markdown' })
    .use(gate(context))
    .post('/markdown', ({ body, viewer, request }) => answer(jobOf(context, viewer, body), { viewer, request }), {
      anyone: [],
      writesNothing: true,
      bodyLimit: 2 * MAX_TEXT,
      body: MarkdownOption,
      response: { 200: MarkdownRender },
      detail: { ...operation('renderMarkdown', 'Render a markdown document as HTML', 'miscellaneous'), ...html },
    })
    .post(
      '/markdown/raw',
      async ({ viewer, request }) => answer(plainJob(context, decode(await readBody(request, MAX_TEXT, paceOf(context.config)))), { viewer, request }),
      {
        anyone: [],
        writesNothing: true,
        response: { 200: MarkdownRender },
        detail: {
          ...operation('renderMarkdownRaw', 'Render raw markdown as HTML', 'miscellaneous'),
          ...readsBody,
          ...html,
          consumes: ['text/plain'],
          reads: t.String(),
        },
      },
    )
    .post('/markup', ({ body, viewer, request }) => answer(jobOf(context, viewer, body), { viewer, request }), {
      anyone: [],
      writesNothing: true,
      bodyLimit: 2 * MAX_TEXT,
      body: MarkupOption,
      response: { 200: MarkdownRender },
      detail: { ...operation('renderMarkup', 'Render a markup document as HTML', 'miscellaneous'), ...html },
    })
}

/**
 * Users wait for nobody else's many texts, nor visitors for those of another address. Behind a proxy all visitors have the same;
 * there at least no small text waits for many large ones.
 */
function lineOf({ text }: RenderJob, { user }: Viewer, address: string): string {
  return user ? `user ${user.id}` : `${address}, ${32 - Math.clz32(text.length)} bits of length`
}

function plainJob({ rootUrl }: Pick<Context, 'rootUrl'>, text: string): RenderJob {
  return { text, rootUrl, keepsLineBreaks: false, place: placeOf('markdown', { path: '', filePath: '', fallbackRef: '' }, rootUrl), known: undefined }
}

/** @throws Unprocessable when the mode or the kind of file is not known */
function jobOf(context: Pick<Context, 'db' | 'git' | 'rootUrl'>, viewer: Viewer, body: MarkupRequest): RenderJob {
  const { rootUrl } = context
  const { Text: text = '', FilePath: filePath = '', BranchPath: branchPath = '' } = body
  const mode = parseMode(body.Wiki ? 'wiki' : (body.Mode ?? ''))
  if (mode === 'file' && !markdownFile.test(filePath)) throw new Unprocessable(`unsupported file to render: ${JSON.stringify(filePath)}`)
  const path = body.Context ?? ''
  if (mode === 'markdown') return { ...plainJob(context, text), place: placeOf(mode, { path, filePath, fallbackRef: '' }, rootUrl) }
  const [owner, name] = contextSegments(path, rootUrl)
  const repo = owner === undefined || name === undefined ? undefined : findReadable(context.db, viewer, owner, name)
  const fallbackRef = branchPath || (repo ? `branch/${repo.default_branch}` : '')
  const place = placeOf(mode, { path, filePath, fallbackRef }, rootUrl)
  return { text, rootUrl, keepsLineBreaks: mode === 'comment', place, known: lookUp(context, viewer, { text, home: place.repo, rootUrl }) }
}

/** No mode is the plain one. @throws Unprocessable */
function parseMode(text: string): Mode {
  const found = text === '' ? 'markdown' : modes.find((mode) => mode === text)
  if (found === undefined) throw new Unprocessable(`Unknown mode "${text}": use one of ${modes.join(', ')}`)
  return found
}

/** @throws Unprocessable when it is not UTF-8 */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Unprocessable('Cannot render the text: it is not UTF-8', { cause })
  }
}
