import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { checkObject } from '../objects/check.ts'
import { encodeCommit, parseCommit } from '../objects/commit.ts'
import { encodeIdent, type Ident } from '../objects/ident.ts'
import type { Oid } from '../objects/oid.ts'
import { withoutCrud } from '../porcelain.ts'
import type { ScratchStore } from '../store/scratch-store.ts'

/** What a commit says besides its tree and parents. */
export interface CommitText {
  message: string
  author: Ident
  committer: Ident
}

/** Writes a commit. The message gets a line break at its end when it has none. @throws GitError `refused` for what no commit can hold */
export function writeCommit(store: ScratchStore, tree: Oid, parents: readonly Oid[], { message, author, committer }: CommitText): Oid {
  const text = message.replaceAll('\0', '')
  const data = encodeCommit({
    ...{ tree, parents: [...parents], author: clean(author), committer: clean(committer) },
    message: text.endsWith('\n') ? text : `${text}\n`,
  })
  checkObject(store.format, 'commit', data, defaultLimits)
  return store.write('commit', data)
}

/** Writes a commit like another one that says something else, as `git commit --amend -m`. @throws as `writeCommit` */
export function writeAmended(store: ScratchStore, commit: Oid, message: string, committer: Ident): Oid {
  const { tree, parents, author } = parseCommit(store.get(commit, 'commit').data)
  return writeCommit(store, tree, parents, { message, author, committer })
}

/**
 * Writes a commit that says what `original` says, author and author's date included, byte for byte unless it is in another encoding. Its
 * signature, which would not fit, is left out, and so are all other extra headers, as by `git rebase`.
 */
export function writeReplayed(store: ScratchStore, original: Uint8Array, tree: Oid, parents: readonly Oid[], committer: Ident): Oid {
  const { encoding, message } = parseCommit(original)
  const author = encoding === undefined ? authorLine(original) : authorText(original)
  const header = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)].join('\n')
  const data = Buffer.concat([
    Buffer.from(`${header}\n`),
    author,
    Buffer.from(`\ncommitter ${encodeIdent(clean(committer))}\n\n`),
    encoding === undefined ? messageBytes(original) : Buffer.from(message),
  ])
  return store.write('commit', data)
}

function clean(ident: Ident): Ident {
  return { ...ident, name: withoutCrud(ident.name), email: withoutCrud(ident.email) }
}

function authorLine(commit: Uint8Array): Uint8Array {
  const bytes = Buffer.from(commit.buffer, commit.byteOffset, commit.byteLength)
  const at = bytes.indexOf('\nauthor ') + 1
  if (at === 0) throw new GitError('corrupt', 'Cannot replay commit: it has no author')
  return bytes.subarray(at, bytes.indexOf('\n', at))
}

function authorText(commit: Uint8Array): Uint8Array {
  return Buffer.from(`author ${encodeIdent(clean(parseCommit(commit).author))}`)
}

function messageBytes(commit: Uint8Array): Uint8Array {
  const bytes = Buffer.from(commit.buffer, commit.byteOffset, commit.byteLength)
  const end = bytes.indexOf('\n\n')
  return end < 0 ? new Uint8Array(0) : bytes.subarray(end + 2)
}
