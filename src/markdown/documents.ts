import { decorate, KeptPages, lineOf, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { escapeHtml } from '#kernel/escape-html.ts'
import type { JobThread } from '#kernel/job-thread.ts'
import { type CodeJob, MAX_COLOURED, type Rendered, type RenderJob } from './job.ts'
import { lookUp } from './known.ts'
import { PageBudget } from './page-budget.ts'
import { placeOf } from './place.ts'
import { openRenderThread } from './render-thread.ts'
import { RenderedBefore } from './rendered-before.ts'
import { MAX_TEXT } from './schema.ts'

const HIGHLIGHT_MS = 300

/** A page that texts become parts of. Those of one page share what they may come to. */
interface ReadPage {
  viewer: Viewer
  /** The server's root as its reader reaches it. */
  root: string
}

/** A document in a repository. */
export interface Document {
  text: string
  /** Its path in the repository. */
  path: string
  /** Where it was read, as addresses have it: `branch/main`. */
  ref: string
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
  within?: string
  path?: string
  ref?: string
}

/** Renders what lies in repositories for pages, in threads that can be ended. */
export class Documents implements Disposable {
  readonly #context: Pick<Context, 'db' | 'git' | 'log' | 'services'>
  readonly #texts: JobThread<RenderJob | CodeJob, Rendered> = openRenderThread()
  readonly #code: JobThread<RenderJob | CodeJob, Rendered> = openRenderThread()
  readonly #before = new RenderedBefore()
  readonly #budgets = new WeakMap<ReadPage, PageBudget>()

  constructor(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>) {
    this.#context = context
  }

  /** Markdown as HTML that is safe to show; undefined when it is too long, or would take too long. */
  render(page: ReadPage, repo: RepoAccess, { text, path, ref }: Document): Promise<string | undefined> {
    return this.#render(page, repo, text, { mode: 'file', path, ref })
  }

  /**
   * What people wrote on an issue, where line breaks count; as it was written where it is too long, or would take too long.
   * @param within what tells it from others on the same page: names that it gives to its headings and footnotes are its own
   */
  async renderComment(page: ReadPage, repo: RepoAccess, text: string, within = ''): Promise<string> {
    return (await this.#render(page, repo, text, { mode: 'comment', within })) ?? this.#asWritten(page, text)
  }

  /** A page of the repository's wiki, in the same manner. @param within as for `renderComment` */
  async renderWiki(page: ReadPage, repo: RepoAccess, text: string, within = ''): Promise<string> {
    return (await this.#render(page, repo, text, { mode: 'wiki', within })) ?? this.#asWritten(page, text)
  }

  /** The lines of a file, `code` being what is shown of the blob, as HTML with class names; undefined where it is shown without colours. */
  highlight(viewer: Viewer, { blob, name, code }: { blob: string; name: string; code: string }): Promise<string[] | undefined> {
    if (code.length > MAX_COLOURED) return Promise.resolve(undefined)
    const terms = { line: lineOf(viewer), milliseconds: HIGHLIGHT_MS }
    const known = { blob, name, characters: code.length }
    const make = () => this.#code.run({ code, name }, terms)
    return this.#colors(async () => (await this.#before.answer(known, make)).lines)
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
    return this.#colors(async () => (await this.#before.answer({ blob, name, runs }, make)).lines)
  }

  async #render(page: ReadPage, repo: RepoAccess, text: string, terms: Terms): Promise<string | undefined> {
    if (text.length > MAX_TEXT) return undefined
    const budget = this.#budgetOf(page)
    if (!budget.hasTime) this.#context.services.get(KeptPages).leaveOut()
    const render = () => budget.timed(() => this.#rendered(page, repo, text, terms))
    const html = budget.hasTime ? await decorate(this.#context, 'rendered text', render, undefined) : undefined
    return html !== undefined && budget.fits(html) ? html : undefined
  }

  async #rendered({ viewer, root }: ReadPage, repo: RepoAccess, text: string, terms: Terms): Promise<string> {
    const { mode, within = '', path = '', ref = '' } = terms
    const place = placeOf(mode, { path: `/${repo.owner.name}/${repo.row.name}`, filePath: path, fallbackRef: ref }, root)
    const known = lookUp(this.#context, viewer, { text, home: place.repo, rootUrl: root, mindsAbsent: true })
    // People mean the lines that they break in what they say, not in documents.
    const job = { text, keepsLineBreaks: mode === 'comment', marksTasks: mode === 'comment', onPage: { within }, rootUrl: root, place, known }
    const line = String(viewer.user?.id ?? 0)
    return (await this.#before.answer(job, () => this.#texts.run(job, { line }))).html
  }

  #colors(work: () => Promise<string[] | undefined>): Promise<string[] | undefined> {
    return decorate(this.#context, 'syntax highlighting', work, undefined)
  }

  #asWritten(page: ReadPage, text: string): string {
    const html = `<pre dir="auto">${escapeHtml(text)}</pre>`
    return this.#budgetOf(page).fits(html) ? html : '<p class="faint">This text is too long to display on this page.</p>'
  }

  #budgetOf(page: ReadPage): PageBudget {
    return this.#budgets.getOrInsertComputed(page, () => new PageBudget())
  }

  [Symbol.dispose](): void {
    this.#texts.stop()
    this.#code.stop()
  }
}
