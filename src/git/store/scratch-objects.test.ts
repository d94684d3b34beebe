import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { hashObject, type ObjectType, type Oid, SHA1 } from '../objects/oid.ts'
import { encodeTree } from '../objects/tree.ts'
import { kindOf } from './contract.ts'
import { MemoryStore } from './memory.ts'
import { ScratchStore } from './scratch-store.ts'

interface Written {
  oid: Oid
  type: ObjectType
  links: Oid[]
}

/** Objects on top of one another, some of them in the repository already. */
function someObjects(random: Random, behind: MemoryStore, scratch: ScratchStore): Written[] {
  const all: Written[] = []
  const write = (type: ObjectType, data: Uint8Array, links: Oid[]): Oid => {
    // A repository has all that its objects lead to.
    const isStored = random.chance(0.4) && links.every((link) => behind.has(link)) && !scratch.has(hashObject(SHA1, type, data))
    const oid = (isStored ? behind : scratch).write(type, data)
    all.push({ oid, type, links })
    return oid
  }
  const of = (type: ObjectType) => all.filter((object) => object.type === type)
  for (let i = 0; i < 4; i++) write('blob', Buffer.from(`blob ${i}`), [])
  for (let i = 0; i < 5; i++) {
    const links = shuffled(random, [...of('blob'), ...of('tree')]).slice(0, 1 + random.below(3))
    const entries = links.map(({ oid, type }, at) => ({ mode: type === 'tree' ? 0o040000 : 0o100644, name: `n${at}`, oid }))
    const submodule = random.chance(0.3) ? [{ mode: 0o160000, name: 'sub', oid: '12'.repeat(20) as Oid }] : []
    write(
      'tree',
      encodeTree([...entries, ...submodule]),
      links.map(({ oid }) => oid),
    )
  }
  for (let i = 0; i < 6; i++) {
    const tree = random.pick(of('tree')).oid
    const parents = shuffled(random, of('commit'))
      .slice(0, random.below(3))
      .map(({ oid }) => oid)
    // What a message says of trees and parents is no link.
    const text = `tree ${tree}\n${parents.map((oid) => `parent ${oid}\n`).join('')}author A <a@b> ${i} +0000\ncommitter A <a@b> ${i} +0000\n\nparent ${'9'.repeat(40)}\n`
    write('commit', Buffer.from(text), [tree, ...parents])
  }
  for (let i = 0; i < 3; i++) {
    const { oid, type } = random.pick([...of('commit'), ...of('tag')])
    write('tag', Buffer.from(`object ${oid}\ntype ${type}\ntag t${i}\ntagger A <a@b> 1 +0000\n\ntree ${'9'.repeat(40)}\n`), [oid])
  }
  return all
}

describe('objects that one piece of work writes', () => {
  property('are worth keeping when the tips lead to them by what is new, each once, what is needed first', 80, (random) => {
    const behind = new MemoryStore()
    const scratch = new ScratchStore(behind, 1 << 20)
    const all = someObjects(random, behind, scratch)
    const links = new Map(all.map(({ oid, links: own }) => [oid, own]))
    const tips = shuffled(random, all)
      .slice(0, 1 + random.below(3))
      .map(({ oid }) => oid)
    const wanted = new Set<Oid>()
    const visit = (oid: Oid): void => {
      if (wanted.has(oid) || behind.has(oid)) return
      wanted.add(oid)
      for (const link of links.get(oid) ?? []) visit(link)
    }
    tips.forEach(visit)
    const kept = scratch.reachable(tips)
    const order = kept.map(({ oid }) => oid)
    expect(new Set(order)).toEqual(wanted)
    expect(order.length).toBe(wanted.size)
    for (const [i, oid] of order.entries()) for (const link of links.get(oid) ?? []) if (wanted.has(link)) expect(order.indexOf(link)).toBeLessThan(i)
    for (const { oid, object } of kept) expect(scratch.get(oid)).toEqual(object)
  })

  test('are in front of the repository, which stays as it was', () => {
    const behind = new MemoryStore()
    const there = behind.write('blob', Buffer.from('there'))
    const scratch = new ScratchStore(behind, 100)
    const here = scratch.write('blob', Buffer.from('here'))
    expect([scratch.has(there), scratch.has(here), behind.has(here)]).toEqual([true, true, false])
    expect([scratch.findHeader(here), scratch.findHeader(there)]).toEqual([
      { type: 'blob', size: 4 },
      { type: 'blob', size: 5 },
    ])
    expect(scratch.find('12'.repeat(20) as Oid)).toBeUndefined()
    expect(kindOf(() => scratch.get('12'.repeat(20) as Oid))).toBe('missing')
    expect([kindOf(() => scratch.get(here, 'tree')), kindOf(() => scratch.get(there, 'tree'))]).toEqual(['corrupt', 'corrupt'])
    scratch.close()
    expect([scratch.has(here), scratch.has(there)]).toEqual([false, true])
  })

  test('are found by their beginnings beside those of the repository, each once, sorted, no more than asked for', () => {
    const behind = new MemoryStore()
    const scratch = new ScratchStore(behind, 1 << 20)
    const oids = Array.from({ length: 300 }, (_, i) => {
      const data = Buffer.from(`${i}`)
      if (i % 3 === 0) behind.write('blob', data)
      return scratch.write('blob', data)
    })
    for (const prefix of new Set(oids.map((oid) => oid.slice(0, 4)))) {
      const expected = oids.filter((oid) => oid.startsWith(prefix)).sort()
      expect(scratch.findByPrefix(prefix, 1000)).toEqual(expected)
      expect(scratch.findByPrefix(prefix, 3)).toEqual(expected.slice(0, 3))
    }
    expect(scratch.findByPrefix('zzzz', 10)).toEqual([])
  })

  test('count once against what may be written, and what the repository has not at all', () => {
    const behind = new MemoryStore()
    behind.write('blob', Buffer.alloc(50, 'a'))
    const scratch = new ScratchStore(behind, 20)
    for (let i = 0; i < 5; i++) scratch.write('blob', Buffer.alloc(50, 'a'))
    for (let i = 0; i < 5; i++) scratch.write('blob', Buffer.alloc(15, 'b'))
    scratch.write('blob', Buffer.alloc(5, 'c'))
    expect(kindOf(() => scratch.write('blob', Buffer.from('d')))).toBe('limit')
    expect(kindOf(() => scratch.write('blob', Buffer.alloc(15, 'b')))).toBeUndefined()
  })
})
