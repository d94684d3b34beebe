import { GitError } from '#git/errors.ts'
import type { ObjectFormat, ObjectType, Oid } from '#git/objects/oid.ts'
import { SHA1 } from '#git/objects/oid.ts'
import type { GitObject, ObjectHeader, ObjectReader } from '#git/store/types.ts'

/** A store in memory, for tests of what only reads. It believes whatever id it is given. */
export class MapStore implements ObjectReader {
  readonly format: ObjectFormat
  readonly objects = new Map<Oid, GitObject>()

  constructor(format: ObjectFormat = SHA1) {
    this.format = format
  }

  /** The objects of a repository on disk, or those that `revisions` reach, read by stock git. */
  static ofGit(directory: string, revisions: readonly string[] = ['--all']): MapStore {
    const store = new MapStore()
    const list = Bun.spawnSync(['git', '-C', directory, 'rev-list', '--objects', '--no-object-names', ...revisions])
    const { stdout } = Bun.spawnSync(['git', '-C', directory, 'cat-file', '--batch'], { stdin: list.stdout })
    for (let at = 0; at < stdout.length; ) {
      const lineEnd = stdout.indexOf(10, at)
      const [oid, type, size] = stdout.toString('latin1', at, lineEnd).split(' ')
      at = lineEnd + 1 + Number(size) + 1
      store.objects.set(oid as Oid, { type: type as ObjectType, data: stdout.subarray(lineEnd + 1, at - 1) })
    }
    return store
  }

  has(oid: Oid): boolean {
    return this.objects.has(oid)
  }

  findHeader(oid: Oid): ObjectHeader | undefined {
    const found = this.objects.get(oid)
    return found && { type: found.type, size: found.data.length }
  }

  find(oid: Oid): GitObject | undefined {
    return this.objects.get(oid)
  }

  get(oid: Oid): GitObject {
    const found = this.objects.get(oid)
    if (!found) throw new GitError('missing', `Cannot get object ${oid}: it is not there`)
    return found
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    return [...this.objects.keys()]
      .filter((oid) => oid.startsWith(prefix))
      .sort()
      .slice(0, limit)
  }
}
