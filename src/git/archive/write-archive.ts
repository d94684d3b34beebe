import { attributesOf } from '../attributes/tree-attributes.ts'
import { GitError } from '../errors.ts'
import { PathFinder } from '../history/path-finder.ts'
import type { GitLimits } from '../limits.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTag } from '../objects/tag.ts'
import type { DiskStore } from '../store/disk.ts'
import type { ArchiveWriter, EntryContent } from './archive-writer.ts'
import { type ByteSink, ChunkWriter } from './byte-sink.ts'
import { gzipSink, zstdSink } from './compressed-sink.ts'
import { blobContent, wholeContent } from './content.ts'
import { toWorkingTree } from './convert.ts'
import { type ArchiveContext, refuseTooMany } from './count-entries.ts'
import { type ArchiveEntry, archiveAttributes, walkEntries } from './entry-walk.ts'
import { substituted } from './export-subst.ts'
import type { NamedCommit } from './format-commit.ts'
import { type ArchiveFormat, type ArchiveOptions, checkPrefix } from './options.ts'
import { RequestedTag } from './requested-tag.ts'
import { TarWriter } from './tar.ts'
import { ZipWriter } from './zip.ts'

/** What is archived: a tree, and the commit that it is of, if any. */
interface Source {
  tree: Oid
  commit: NamedCommit | undefined
}

/** Tags of tags beyond this are nobody's. */
const MAX_TAGS = 50
const nothing = wholeContent(new Uint8Array())

/**
 * Writes an archive of a commit, a tag or a tree, as `git archive` does. The same input makes the same bytes. A bare tree has no time:
 * its files are of 1970.
 * @throws GitError `absent` when it is no tree or one of the paths is not in it, `missing` when an object is not there, `refused` for a bad prefix,
 * `limit` when it is too much
 */
export async function writeArchive(store: DiskStore, oid: Oid, options: ArchiveOptions, context: ArchiveContext, sink: ByteSink): Promise<void> {
  checkPrefix(options.prefix ?? '')
  const source = sourceOf(store, oid, options.tag, context.limits)
  for (const path of options.paths ?? []) checkPath(store, source.tree, path)
  await refuseTooMany(store, source.tree, options.paths, context)
  using compressed = compressedSink(options.format, sink)
  const out = new ChunkWriter(compressed ?? sink)
  const time = source.commit?.committer.seconds ?? 0
  const writer = options.format === 'zip' ? new ZipWriter(out, time) : new TarWriter(out, time)
  await new Archiving(store, source, options, context, writer).run()
  await out.end()
}

function compressedSink(format: ArchiveFormat, sink: ByteSink): (ByteSink & Disposable) | undefined {
  if (format === 'tar.gz') return gzipSink(sink)
  return format === 'tar.zst' ? zstdSink(sink) : undefined
}

function sourceOf(store: DiskStore, oid: Oid, tag: string | undefined, { maxParsedBytes }: GitLimits): Source {
  let at = oid
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const header = store.findHeader(at)
    if (header?.type === 'tree' || at === store.format.emptyTree) return { tree: at, commit: undefined }
    const { type, data } = store.get(at, undefined, maxParsedBytes)
    if (type === 'commit') {
      const commit = parseCommit(data)
      return { tree: commit.tree, commit: { ...commit, oid: at, tag: tag === undefined ? undefined : new RequestedTag(tag) } }
    }
    if (type !== 'tag') break
    at = parseTag(data).object
  }
  throw new GitError('absent', `Cannot archive: ${oid} is not a commit or a tree`)
}

function checkPath(store: DiskStore, tree: Oid, path: string): void {
  if (new PathFinder(store, path).find(tree) === undefined) throw new GitError('absent', `Cannot archive: the path "${path.slice(0, 200)}" does not exist`)
}

class Archiving {
  readonly #store: DiskStore
  readonly #source: Source
  readonly #options: ArchiveOptions
  readonly #context: ArchiveContext
  readonly #writer: ArchiveWriter
  /** A byte in each character. */
  readonly #prefix: string
  #bytesLeft: number

  constructor(store: DiskStore, source: Source, options: ArchiveOptions, context: ArchiveContext, writer: ArchiveWriter) {
    this.#store = store
    this.#source = source
    this.#options = options
    this.#context = context
    this.#writer = writer
    this.#prefix = Buffer.from(options.prefix ?? '').toString('latin1')
    this.#bytesLeft = context.limits.maxInflatedBytes
  }

  async run(): Promise<void> {
    const { tree, commit } = this.#source
    await this.#writer.begin(commit?.oid)
    if (this.#prefix.endsWith('/')) await this.#addPrefix(tree)
    const question = attributesOf(this.#store, tree).question(archiveAttributes)
    for (const entry of walkEntries(this.#store, tree, { paths: this.#options.paths, question, limits: this.#context.limits })) {
      await this.#writer.add({ ...entry, path: this.#prefix + entry.path }, this.#content(entry))
      const wait = this.#context.checkpoint()
      if (wait) await wait
    }
    await this.#writer.end(commit?.oid)
  }

  async #addPrefix(oid: Oid): Promise<void> {
    const path = this.#prefix.replace(/\/+$/, '/')
    await this.#writer.add({ kind: 'directory', path, oid, isExecutable: false, attributes: undefined }, nothing)
  }

  #content({ kind, oid, attributes }: ArchiveEntry): EntryContent {
    if (kind !== 'file' && kind !== 'symlink') return nothing
    const stored = blobContent(this.#store, oid)
    this.#bytesLeft -= stored.size
    if (this.#bytesLeft < 0) throw new GitError('limit', `Cannot archive: the files have more than ${this.#context.limits.maxInflatedBytes} bytes`)
    if (stored.isLarge || kind === 'symlink' || attributes === undefined) return stored
    const converted = toWorkingTree(stored.whole(), oid, attributes)
    const { commit } = this.#source
    return wholeContent(attributes['export-subst'] === true && commit !== undefined ? substituted(converted, commit) : converted)
  }
}
