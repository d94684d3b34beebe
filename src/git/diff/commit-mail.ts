import { breathe, isDue } from '#kernel/breathe.ts'
import { type Commit, parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { ByteWriter } from './byte-writer.ts'
import { changedFiles, toldBy } from './changed-files.ts'
import { type Comparison, statsOf } from './compare-file.ts'
import { type CountedFile, diffStat } from './diff-stat.ts'
import { dateLine, fromLine, isAscii, subjectLine } from './mail-header.ts'
import type { FileChange } from './renames.ts'
import { bytesOf, makePatch, type Send, type WriteDiffOptions } from './write-diff.ts'

export interface MailOptions extends WriteDiffOptions {
  /** In brackets before the subject. Default: `PATCH`, with its number when there are several. */
  subjectPrefix?: string
  /** What stands below the patch, under `-- `. Default: nothing. */
  signature?: string
}

/** A patch of up to so many bytes is made once; what is beyond is made again after its numbers are known. */
const KEPT_BYTES = 16 << 20

/**
 * Sends commits as `git format-patch --stdout` does, each against its first parent; those that change nothing are left out.
 * @throws GitError `missing` or `corrupt` when something is
 */
export async function writeMails(store: ObjectReader, commits: readonly Oid[], options: MailOptions, send: Send): Promise<void> {
  const digits = String(commits.length).length
  let isFirst = true
  for (const [at, oid] of commits.entries()) {
    const number = commits.length > 1 ? ` ${String(at + 1).padStart(digits, '0')}/${commits.length}` : ''
    const hasSent = await writeMail(store, oid, isFirst ? '' : '\n', { ...options, subjectPrefix: (options.subjectPrefix ?? 'PATCH') + number }, send)
    if (hasSent) isFirst = false
  }
}

/** Returns whether there was anything to send. */
async function writeMail(store: ObjectReader, oid: Oid, separator: string, options: MailOptions, send: Send): Promise<boolean> {
  const commit = parseCommit(store.get(oid, 'commit').data)
  const own = { ...options, attributes: commit.parents[0] ?? commit.tree }
  const { changes } = await changedFiles(store, commit.parents[0], commit.tree, own)
  if (changes.length === 0) return false
  const told = toldBy(store, own)
  const patches = new Patches(
    store,
    changes.map((change) => told.change(change)),
    { binary: true, ...options },
  )
  const stat = diffStat(await patches.count())
  await send(Buffer.from(`${separator}${headOf(oid, commit, options.subjectPrefix ?? '')}---\n${stat}\n`))
  await patches.send(send)
  if (options.signature) await send(Buffer.from(`-- \n${options.signature}\n\n`))
  return true
}

/** The mail down to the end of the message. */
function headOf(oid: Oid, { author, message }: Commit, prefix: string): string {
  const lines = message.split('\n').map((line) => line.replace(/(?<![ \t\r])[ \t\r]+$/, ''))
  const first = lines.findIndex((line) => line !== '')
  const start = first < 0 ? lines.length : first
  const blank = lines.indexOf('', start)
  const end = blank < 0 ? lines.length : blank
  const subject = lines.slice(start, end).join(' ')
  const body = lines.slice(end).join('\n').replace(/^\n+/, '').trimEnd()
  const mime = isAscii(message) ? '' : 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n'
  const head = `From ${oid} Mon Sep 17 00:00:00 2001\n${fromLine(author)}${dateLine(author)}${subjectLine(prefix, subject)}${mime}\n`
  return body === '' ? head : `${head}${body}\n`
}

/** The patches of one commit, whose numbers stand above them. */
class Patches {
  readonly #store: ObjectReader
  readonly #changes: readonly FileChange[]
  readonly #options: MailOptions
  readonly #kept = new ByteWriter()
  #keptFiles = 0

  constructor(store: ObjectReader, changes: readonly FileChange[], options: MailOptions) {
    this.#store = store
    this.#changes = changes
    this.#options = options
  }

  async count(): Promise<CountedFile[]> {
    const counted: CountedFile[] = []
    const rest = new ByteWriter()
    let isKept = true
    for (const change of this.#changes) {
      isKept &&= this.#kept.length + bytesOf(this.#store, change) < KEPT_BYTES
      const comparison = await this.#write(isKept ? this.#kept : rest, change)
      counted.push({ change, stats: statsOf(this.#store, change, comparison, this.#options) })
      if (isKept) this.#keptFiles++
      else rest.take()
      await this.#rest()
    }
    return counted
  }

  async send(send: Send): Promise<void> {
    await send(this.#kept.take())
    for (const change of this.#changes.slice(this.#keptFiles)) {
      await this.#write(this.#kept, change)
      await send(this.#kept.take())
      await this.#rest()
    }
  }

  #write(out: ByteWriter, change: FileChange): Promise<Comparison> {
    return makePatch(out, this.#store, change, this.#options)
  }

  async #rest(): Promise<void> {
    if (isDue()) await breathe()
    this.#options.signal?.throwIfAborted()
  }
}
