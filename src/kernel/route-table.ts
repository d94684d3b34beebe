/** Which part of the server answers a method at a path pattern (`/repos/:owner/:repo`, `/files/*`). */
export type RouteEntry = readonly [part: string, method: string, path: string]

/** One segment of the paths. It is plain data, so that the executable carries it ready-made. */
export interface RouteNode {
  /** What goes on with a segment of this text. */
  next?: Record<string, RouteNode>
  /** What goes on with any one segment. */
  any?: RouteNode
  /** The part that answers a path which ends here, by method. */
  ends?: Record<string, string>
  /** The part that answers whatever follows, by method. */
  rest?: Record<string, string>
}

/** Finds the part of the server that a request is for. As in Elysia's own router a text goes before a parameter, and that before `*`. */
export class RouteTable {
  readonly root: RouteNode

  /** @param root as another table made it */
  constructor(root: RouteNode = {}) {
    this.root = root
  }

  static of(entries: readonly RouteEntry[]): RouteTable {
    const table = new RouteTable()
    for (const entry of entries) table.#add(entry)
    return table
  }

  /** @param path as requests have it, still encoded; HEAD is answered where GET is */
  find(method: string, path: string): string | undefined {
    if (named.has(method) && path.endsWith('/')) return undefined
    const segments = segmentsOf(path)
    return find(this.root, segments, 0, method) ?? (method === 'HEAD' ? find(this.root, segments, 0, 'GET') : undefined)
  }

  /** The methods that something answers at this path. */
  methodsAt(path: string): string[] {
    return METHODS.filter((method) => this.find(method, path) !== undefined)
  }

  #add([part, method, path]: RouteEntry): void {
    let node = this.root
    for (const segment of segmentsOf(path)) {
      if (segment === '*') {
        node.rest = { ...node.rest, [method]: part }
        return
      }
      if (segment.startsWith(':')) node = node.any ??= {}
      else {
        node.next ??= {}
        node = node.next[segment] ??= {}
      }
    }
    node.ends = { ...node.ends, [method]: part }
  }
}

/**
 * What is changed or removed has a name, and no path of theirs ends in a slash: Bun makes of a branch `..` of a repository, also where it came
 * as `%2e%2e`, the repository and a slash.
 */
const named: ReadonlySet<string> = new Set(['PATCH', 'DELETE'])
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A slash at the end makes no difference otherwise, as in Elysia. */
function segmentsOf(path: string): string[] {
  return path.slice(1, path.length > 1 && path.endsWith('/') ? -1 : undefined).split('/')
}

function find(node: RouteNode, segments: readonly string[], at: number, method: string): string | undefined {
  const segment = segments[at]
  if (segment === undefined) return own(node.ends, method)
  const next = own(node.next, segment)
  const found = next && find(next, segments, at + 1, method)
  if (found !== undefined) return found
  // What begins with a word of the server's own (`/api/…`) is never about an account of that name.
  const isOwn = at === 0 && next !== undefined
  const any = segment !== '' && !isOwn && node.any ? find(node.any, segments, at + 1, method) : undefined
  return any ?? own(node.rest, method)
}

/** A path may well have a segment called `constructor`. */
function own<T>(record: Record<string, T> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}
