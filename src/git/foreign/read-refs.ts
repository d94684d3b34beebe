import type { Checkpoint } from '../checkpoint.ts'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { isOid, type Oid, SHA1 } from '../objects/oid.ts'
import { branchName, parseRefName, type RefName } from '../refs/names.ts'
import { type ForeignDirectory, unlike } from './foreign-directory.ts'

/** What a repository that somebody put on disk says about itself. */
export interface ForeignRefs {
  /** The branch that HEAD names; undefined when HEAD is detached, or there is no such branch. */
  headBranch: string | undefined
  /** What a detached HEAD points to. */
  detachedHead: Oid | undefined
  /** By name, symbolic ones as what they point to. */
  refs: ReadonlyMap<RefName, Oid>
}

/** `ref: ` and the longest name. */
const MAX_REF_BYTES = 4096
const MAX_PACKED_BYTES = 128 * 1024 * 1024
/** As git's `SYMREF_MAXDEPTH`. */
const MAX_HOPS = 5

/**
 * Reads HEAD, loose refs and packed-refs. Lock files and hidden files are passed over, as git passes them over.
 * @throws GitError `refused` when it is no such repository, `corrupt` when a ref cannot be read or has a name that is not allowed, `limit` when there are too many
 */
export async function readForeignRefs(directory: ForeignDirectory, limits: GitLimits, checkpoint: Checkpoint): Promise<ForeignRefs> {
  const head = readHead(directory)
  const found = new Map<string, string>()
  const add = ([name, value]: [string, string]) => {
    found.set(name, value)
    if (found.size > limits.maxCommands) throw tooMany(limits)
  }
  for (const ref of parsePackedRefs(directory.readText('packed-refs', MAX_PACKED_BYTES) ?? '')) add(ref)
  for await (const ref of looseRefs(directory, limits, checkpoint)) add(ref)
  const refs = new Map<RefName, Oid>()
  for (const name of [...found.keys()].sort()) {
    const oid = resolve(found, name)
    if (oid !== undefined) refs.set(parseRefName(name), parseValue(name, oid))
  }
  const target = symbolicTarget(head) as RefName | undefined
  return {
    headBranch: target !== undefined && refs.has(target) ? branchName(target) : undefined,
    detachedHead: target === undefined ? parseValue('HEAD', firstWord(head)) : undefined,
    refs,
  }
}

/** The lines of a packed-refs file: names and what they point to. What tags peel to is not taken on trust. Source: `git pack-refs`. */
export function* parsePackedRefs(text: string): Generator<[name: string, oid: string]> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    if (end < 0) throw new GitError('corrupt', 'packed-refs is truncated')
    const line = text.slice(at, end)
    at = end + 1
    if (line.startsWith('#') || line.startsWith('^')) continue
    const space = line.indexOf(' ')
    if (space < 0) throw new GitError('corrupt', `packed-refs has an invalid line: "${line.slice(0, 80)}"`)
    yield [line.slice(space + 1), line.slice(0, space)]
  }
}

function readHead(directory: ForeignDirectory): string {
  const head = directory.readText('HEAD', MAX_REF_BYTES)
  const isRepository = head !== undefined && directory.kindOf('objects') === 'directory' && directory.kindOf('refs') === 'directory'
  if (!isRepository) throw new GitError('refused', 'it is not a bare git repository: it must contain HEAD, objects/ and refs/')
  if (directory.kindOf('reftable') !== undefined) throw new GitError('refused', 'it uses the reftable format, which is not supported')
  return head
}

async function* looseRefs(directory: ForeignDirectory, limits: GitLimits, checkpoint: Checkpoint): AsyncGenerator<[name: string, value: string]> {
  const folders = ['refs']
  let seen = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, kind } of directory.entries(folder)) {
      const path = `${folder}/${name}`
      // Empty folders stay behind when refs are packed: they may be as many again.
      if (++seen > 2 * limits.maxCommands) throw tooMany(limits)
      if (name.startsWith('.') || name.endsWith('.lock')) continue
      if (kind === 'other') throw unlike(path, 'file')
      if (kind === 'directory') folders.push(path)
      else yield [path, directory.readText(path, MAX_REF_BYTES) ?? '']
      const wait = checkpoint()
      if (wait) await wait
    }
  }
}

/** Follows symbolic refs; undefined when they lead to none. */
function resolve(found: ReadonlyMap<string, string>, name: string): string | undefined {
  let value = found.get(name)
  for (let hops = 0; value !== undefined && hops < MAX_HOPS; hops++) {
    const target = symbolicTarget(value)
    if (target === undefined) return firstWord(value)
    value = found.get(target)
  }
  return undefined
}

function symbolicTarget(value: string): string | undefined {
  return /^ref:\s*(\S+)\s*$/.exec(value)?.[1]
}

function firstWord(value: string): string {
  return value.split(/\s/, 1)[0] as string
}

function parseValue(name: string, value: string): Oid {
  if (/^[0-9a-f]{64}$/.test(value)) throw new GitError('refused', 'it uses SHA-256 object IDs, which are not supported. Use SHA-1')
  if (!isOid(value) || value === SHA1.zero) throw new GitError('corrupt', `${name} has no valid target`)
  return value
}

function tooMany(limits: GitLimits): GitError {
  return new GitError('limit', `it has more than ${limits.maxCommands} refs`)
}
