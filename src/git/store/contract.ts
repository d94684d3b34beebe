import { describe, expect, test } from 'bun:test'
import type { GitErrorKind } from '../errors.ts'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { defaultLimits } from '../limits.ts'
import { type ObjectType, type Oid, rawOid } from '../objects/oid.ts'
import { type ObjectStore, presenceIn, typeIn } from './types.ts'

/** Ids as stock git computes them (`git hash-object`). */
const samples: { type: ObjectType; data: string; oid: Oid }[] = [
  { type: 'blob', data: '', oid: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' as Oid },
  { type: 'blob', data: 'hello\n', oid: 'ce013625030ba8dba906f756967f9e9ca394464a' as Oid },
  { type: 'tree', data: '', oid: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' as Oid },
]
const absent = '1234567890123456789012345678901234567890' as Oid
const limits: GitLimits = { ...defaultLimits, maxObjectBytes: 2_000_000 }

/** What went wrong, or undefined. Anything but a GitError is thrown on. */
export function kindOf(work: () => unknown): GitErrorKind | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof GitError) return error.kind
    throw error
  }
  return undefined
}

/** What every ObjectStore promises. `make` gives a new, empty store with the limits it gets. */
export function storeContract(name: string, make: (limits: GitLimits) => ObjectStore & Disposable): void {
  describe(name, () => {
    describeReading(make)
    describeWriting(make)
    describePrefixes(make)
  })
}

type Make = Parameters<typeof storeContract>[1]

function describeReading(make: Make): void {
  test('an object that is not there is not found, and cannot be got', () => {
    using store = make(limits)
    expect([store.has(absent), store.findHeader(absent), typeIn(store, rawOid(absent), 0), store.find(absent)]).toEqual([
      false,
      undefined,
      undefined,
      undefined,
    ])
    expect(kindOf(() => store.get(absent))).toBe('missing')
  })

  test('what is there is told all at once as it is told one by one', () => {
    using store = make(limits)
    const oid = store.write('blob', Buffer.from('text'))
    const isThere = presenceIn(store)
    expect([oid, absent, samples[2]?.oid as Oid].map((one) => isThere(rawOid(one), 0))).toEqual([true, false, false])
  })

  test('an object of another type than the one wanted is corrupt', () => {
    using store = make(limits)
    const oid = store.write('blob', Buffer.from('text'))
    expect(store.get(oid, 'blob').type).toBe('blob')
    expect(kindOf(() => store.get(oid, 'tree'))).toBe('corrupt')
  })

  test('an object larger than the reader wants is over a limit; its header is not', () => {
    using store = make(limits)
    const oid = store.write('blob', Buffer.alloc(100))
    expect(store.find(oid, 100)?.data.length).toBe(100)
    expect(kindOf(() => store.find(oid, 99))).toBe('limit')
    expect(kindOf(() => store.get(oid, 'blob', 99))).toBe('limit')
    expect(store.findHeader(oid)).toEqual({ type: 'blob', size: 100 })
  })
}

function describeWriting(make: Make): void {
  test.each(samples)('a written $type gets the id that git gives it, and reads back', ({ type, data, oid }) => {
    using store = make(limits)
    expect(store.write(type, Buffer.from(data))).toBe(oid)
    const found = store.get(oid)
    expect([found.type, Buffer.from(found.data).toString(), store.findHeader(oid)]).toEqual([type, data, { type, size: data.length }])
    const raw = rawOid(oid)
    expect([store.has(oid), typeIn(store, raw, 0), typeIn(store, raw, 0)]).toEqual([true, type, type])
  })

  test('a large object reads back whole', () => {
    using store = make(limits)
    const data = Buffer.alloc(1_500_000, 'neither too short nor too dull ')
    expect(Buffer.compare(store.get(store.write('blob', data)).data, data)).toBe(0)
  })

  test('an object over the limit is refused and not stored', () => {
    using store = make(limits)
    const data = Buffer.alloc(limits.maxObjectBytes + 1)
    expect(kindOf(() => store.write('blob', data))).toBe('limit')
    using roomy = make(defaultLimits)
    expect(store.has(roomy.write('blob', data))).toBe(false)
  })

  test('writing twice is writing once', () => {
    using store = make(limits)
    const first = store.write('blob', Buffer.from('twice'))
    expect(store.write('blob', Buffer.from('twice'))).toBe(first)
    expect(store.findByPrefix(first, 10)).toEqual([first])
  })

  test('what becomes of the writer’s bytes later does not matter', () => {
    using store = make(limits)
    const data = Buffer.from('before')
    const oid = store.write('blob', data)
    data.write('after!')
    expect(Buffer.from(store.get(oid).data).toString()).toBe('before')
  })
}

function describePrefixes(make: Make): void {
  test('ids are found by how they begin, sorted, and no more than wanted', () => {
    using store = make(limits)
    const oids = Array.from({ length: 12 }, (_, i) => store.write('blob', Buffer.from(`${i}`))).sort()
    for (const oid of oids) expect(store.findByPrefix(oid.slice(0, 5), 10)).toEqual(oids.filter((other) => other.startsWith(oid.slice(0, 5))))
    expect(store.findByPrefix(oids[0] as Oid, 10)).toEqual([oids[0] as Oid])
    expect(store.findByPrefix((oids[0] as Oid).slice(0, 4), 0)).toEqual([])
  })

  test.each(['', 'abc', 'abcg', 'ABCD', '../..', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c53910'])('nothing begins with "%s"', (prefix) => {
    using store = make(limits)
    store.write('blob', new Uint8Array())
    expect(store.findByPrefix(prefix, 10)).toEqual([])
  })
}
