import { KeptPages, lineOf, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Problem, Unprocessable } from '#kernel/errors.ts'
import type { JobThread } from '#kernel/job-thread.ts'
import { type CodeJob, MAX_COLOURED, type Rendered, type RenderJob } from './job.ts'
import { lookUp } from './known.ts'
import { placeOf } from './place.ts'
import { openRenderThread } from './render-thread.ts'
import { RenderedBefore } from './rendered-before.ts'
import { MAX_TEXT } from './schema.ts'

const HIGHLIGHT_MS = 300

/** A document in a repository. */
export interface Document {
  text: string
  /** Its path in the repository. */
  path: string
  /** Where it was read, as addresses have it: `branch/main`. */
  ref: string
  /** The server's root as its reader reaches it. */
  root: string
}

/** Lines of a file that is a blob of some repository. */
interface LinesOfBlob {
  blob: string
  /** The file's, which tells the language. */
  name: string
  runs: readonly number[]
  milliseconds: number
  signal?: AbortSignal
  read: () => Promise<Uint8Array | undefined>
}

/** How a text is rendered; a file has a path and a ref. */
interface Terms {
  mode: 'file' | 'comment' | 'wiki'
  root: string
  within?: string
  path?: string
  ref?: string
}

/** Renders what lies in repositories for pages, in threads that can be ended. */
export class Documents implements Disposable {
  readonly #context: Pick<Context, 'db' | 'git' | 'services'>
  readonly #texts: JobThread<RenderJob | CodeJob, Rendered> = openRenderThread()
  readonly #code: JobThread<RenderJob | CodeJob, Rendered> = openRenderThread()
  readonly #before = new RenderedBefore()

  constructor(context: Pick<Context, 'db' | 'git' | 'services'>) {
    this.#context = context
  }

  /** Markdown as HTML that is safe to show; undefined when it is too long, or would take too long. */
  render(viewer: Viewer, repo: RepoAccess, { text, path, ref, root }: Document): Promise<string | undefined> {
    return this.#render(viewer, repo, text, { mode: 'file', root, path, ref })
  }

  /**
   * What people wrote on an issue, where line breaks count.
   * @param within what tells it from others on the same page: names that it gives to its headings and footnotes are its own
   */
  renderComment(viewer: Viewer, repo: RepoAccess, text: string, root: string, within = ''): Promise<string | undefined> {
    return this.#render(viewer, repo, text, { mode: 'comment', root, within })
  }

  /** A page of the repository's wiki. */
  renderWiki(viewer: Viewer, repo: RepoAccess, text: string, root: string): Promise<string | undefined> {
    return this.#render(viewer, repo, text, { mode: 'wiki', root })
  }

  /** The lines of a file, `code` being what is shown of the blob, as HTML with class names; undefined where it is shown without colours. */
  highlight(viewer: Viewer, { blob, name, code }: { blob: string; name: string; code: string }): Promise<string[] | undefined> {
    if (code.length > MAX_COLOURED) return Promise.resolve(undefined)
    const terms = { line: lineOf(viewer), milliseconds: HIGHLIGHT_MS }
    const known = { blob, name, characters: code.length }
    return this.#whenPossible(this.#before.answer(known, () => this.#code.run({ code, name }, terms)).then(({ lines }) => lines))
  }

  /**
   * Some lines of a file, by turns the number of the first, from 1, and how many, as `highlight` gives them. What was made of a blob is known.
   * @param milliseconds that it may take; the file is read only when it has to be, and is shown as it is when that gives undefined
   */
  highlightLines(viewer: Viewer, { blob, name, runs, milliseconds, signal, read }: LinesOfBlob): Promise<string[] | undefined> {
    const terms = { line: lineOf(viewer), milliseconds: Math.min(milliseconds, HIGHLIGHT_MS), signal }
    const make = async () => {
      const code = await read()
      return code === undefined ? { html: '' } : this.#code.run({ code, name, runs }, terms)
    }
    return this.#whenPossible(this.#before.answer({ blob, name, runs }, make).then(({ lines }) => lines))
  }

  async #render(viewer: Viewer, repo: RepoAccess, text: string, terms: Terms): Promise<string | undefined> {
    if (text.length > MAX_TEXT) return undefined
    const { mode, root, within = '', path = '', ref = '' } = terms
    const place = placeOf(mode, { path: `/${repo.owner.name}/${repo.row.name}`, filePath: path, fallbackRef: ref }, root)
    const known = lookUp(this.#context, viewer, { text, home: place.repo, rootUrl: root, mindsAbsent: true })
    // People mean the lines that they break in what they say, not in documents.
    const job = { text, keepsLineBreaks: mode === 'comment', marksTasks: mode === 'comment', onPage: { within }, rootUrl: root, place, known }
    const line = String(viewer.user?.id ?? 0)
    return this.#whenPossible(this.#before.answer(job, () => this.#texts.run(job, { line })).then(({ html }) => html))
  }

  /** What takes too long to be made beautiful is shown as it is, and so is what would have to wait behind too many others, or too long. */
  async #whenPossible<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof Problem) || !(error instanceof Unprocessable || error.status === 503 || error.status === 499)) throw error
      this.#context.services.get(KeptPages).leaveOut()
      return undefined
    }
  }

  [Symbol.dispose](): void {
    this.#texts.stop()
    this.#code.stop()
  }
}
