import { deflateSync, inflateSync } from 'node:zlib'
import { GitError } from './errors.ts'
import { defaultLimits } from './limits.ts'
import { checkObject } from './objects/check.ts'
import { type Ident, zoneMinutes } from './objects/ident.ts'
import type { ObjectType, Oid } from './objects/oid.ts'
import { encodeTree, FILE_MODE, TREE_MODE, type TreeEntry } from './objects/tree.ts'
import { TAGS, tagRef } from './refs/names.ts'
import type { ObjectStore } from './store/types.ts'

export interface NewCommit {
  tree: Oid
  parents: readonly Oid[]
  author: Ident
  committer: Ident
  message: string
}

export interface NewTag {
  target: Oid
  targetType: ObjectType
  /** Without `refs/tags/`. */
  name: string
  tagger: Ident
  message: string
}

/** A file to commit: its path from the root, with slashes. */
export interface NewFile {
  path: string
  data: Uint8Array | string
}

/**
 * Writes objects the way people make them. Commits and tags are isomorphic-git's, which nothing else imports: it is
 * loaded when first needed, and sees the store as a file system that holds nothing but objects. What is written is
 * checked as a push's objects are. Low volume only: each object is durable by itself.
 */
export class Porcelain {
  readonly #store: ObjectStore
  readonly #place: { fs: ReturnType<typeof objectFiles>; gitdir: string }

  constructor(store: ObjectStore) {
    this.#store = store
    this.#place = { fs: objectFiles(store), gitdir: GITDIR }
  }

  /** Straight to the store, which deflates it once. */
  writeBlob(data: Uint8Array | string): Oid {
    return this.#store.write('blob', typeof data === 'string' ? Buffer.from(data) : data)
  }

  /**
   * Encoded by ourselves: isomorphic-git sorts names by UTF-16 units, git by bytes.
   * @throws GitError `refused` or `corrupt` on names that git would not check out
   */
  writeTree(entries: readonly TreeEntry[]): Oid {
    const data = encodeTree(entries)
    checkObject(this.#store.format, 'tree', data, defaultLimits)
    return this.#store.write('tree', data)
  }

  /** Writes files and the directories they lie in; returns the root tree. */
  writeFiles(files: readonly NewFile[]): Oid {
    const entries: TreeEntry[] = []
    const directories = new Map<string, NewFile[]>()
    for (const { path, data } of files) {
      const slash = path.indexOf('/')
      if (slash < 0) entries.push({ name: path, mode: FILE_MODE, oid: this.writeBlob(data) })
      else directories.set(path.slice(0, slash), [...(directories.get(path.slice(0, slash)) ?? []), { path: path.slice(slash + 1), data }])
    }
    for (const [name, inside] of directories) entries.push({ name, mode: TREE_MODE, oid: this.writeFiles(inside) })
    return this.writeTree(entries)
  }

  /** The message gets exactly one line break at its end. @throws GitError `refused` on a name or address that no commit can hold */
  async writeCommit({ tree, parents, author, committer, message }: NewCommit): Promise<Oid> {
    const { writeCommit } = await import('isomorphic-git')
    const commit = { tree, parent: [...parents], author: signature(author), committer: signature(committer), message: withoutNul(message) }
    return (await writeCommit({ ...this.#place, commit })) as Oid
  }

  /** @throws GitError `refused` on a name that is none for a tag */
  async writeTag({ target, targetType, name, tagger, message }: NewTag): Promise<Oid> {
    const { writeTag } = await import('isomorphic-git')
    const tag = { object: target, type: targetType, tag: tagRef(name).slice(TAGS.length), tagger: signature(tagger), message: withoutNul(message).trimEnd() }
    return (await writeTag({ ...this.#place, tag })) as Oid
  }
}

/** What git strips from a name or address before it writes one, so that it can stand in an identity line. Source: `strbuf_addstr_without_crud`. */
export function withoutCrud(text: string): string {
  return text.replace(/[\u0000-\u001f<>]/g, '').replace(/^[\s.,:;"\\']+|(?<![\s.,:;"\\'])[\s.,:;"\\']+$/g, '')
}

const GITDIR = '/repository'
const objectPath = /^\/repository\/objects\/([0-9a-f]{2})\/([0-9a-f]{38,62})$/

/** The store as isomorphic-git's file system: loose objects, which it reads and writes deflated, and nothing more. */
function objectFiles(store: ObjectStore) {
  const promises = {
    async readFile(path: string): Promise<Uint8Array> {
      const { type, data } = store.get(oidOf(path), undefined, defaultLimits.maxParsedBytes)
      return deflateSync(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data]))
    },
    async writeFile(path: string, deflated: Uint8Array): Promise<void> {
      const { type, data } = unwrap(deflated)
      checkObject(store.format, type, data, defaultLimits)
      const oid = oidOf(path)
      if (store.write(type, data) !== oid) throw new GitError('corrupt', `Cannot write object ${oid}: its content has another id`)
    },
    async stat(path: string) {
      const isDirectory = path === GITDIR
      if (!isDirectory && !store.has(oidOf(path))) throw notFound(path)
      return { isDirectory: () => isDirectory, isFile: () => !isDirectory, isSymbolicLink: () => false }
    },
    lstat: (path: string) => promises.stat(path),
    readdir: (path: string) => Promise.reject(notFound(path)),
    readlink: (path: string) => Promise.reject(notFound(path)),
    mkdir: async () => {},
    rmdir: (path: string) => Promise.reject(notFound(path)),
    unlink: (path: string) => Promise.reject(notFound(path)),
    symlink: (_target: string, path: string) => Promise.reject(notFound(path)),
  }
  return { promises }
}

/** @throws an ENOENT error for every path that is no object's */
function oidOf(path: string): Oid {
  const found = objectPath.exec(path)
  if (!found) throw notFound(path)
  return `${found[1]}${found[2]}` as Oid
}

function notFound(path: string): Error {
  return Object.assign(new Error(`Cannot find "${path}": only objects are stored here`), { code: 'ENOENT' })
}

function unwrap(deflated: Uint8Array): { type: ObjectType; data: Uint8Array } {
  const bytes = inflateSync(deflated, { maxOutputLength: defaultLimits.maxParsedBytes })
  const end = bytes.indexOf(0)
  const [type] = bytes.toString('latin1', 0, end).split(' ')
  return { type: type as ObjectType, data: bytes.subarray(end + 1) }
}

/** isomorphic-git counts minutes west of UTC. */
function signature({ name, email, seconds, zone }: Ident) {
  return { name: withoutCrud(name), email: withoutCrud(email), timestamp: seconds, timezoneOffset: -zoneMinutes(zone) }
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
