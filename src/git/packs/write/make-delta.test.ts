import { afterAll, describe, expect, test } from 'bun:test'
import { Random } from '../../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { idOf, PackBuilder } from '../../../../test/pack-builder.ts'
import { PATIENCE, property } from '../../../../test/seeds.ts'
import { applyDelta } from '../delta.ts'
import { makeDelta } from './make-delta.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
initBare(root.path)

/** `base` with parts moved, repeated, changed and cut. */
function changed(random: Random, base: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let i = random.below(8); i > 0; i--) {
    const from = random.below(base.length + 1)
    parts.push(random.chance(0.7) ? base.subarray(from, from + random.skewed(base.length + 1)) : Buffer.from(random.bytes(random.skewed(300))))
  }
  return Buffer.concat(parts)
}

describe('deltas that we make', () => {
  const textsOf = (random: Random, seed: number): { base: Buffer; target: Buffer } => {
    const size = random.pick([0, 1, 15, 16, 17, 1000, 70_000])
    const base = random.chance(0.5) ? Buffer.from(random.bytes(size)) : Buffer.from('the same again '.repeat(size / 15))
    return { base, target: seed % 5 === 0 ? base : changed(random, base) }
  }

  property('make the target, are no longer than it needs to say so, and find what is shared', 60, (random, seed) => {
    const { base, target } = textsOf(random, seed)
    const delta = makeDelta(base, target) as Uint8Array
    expect(Buffer.from(applyDelta(base, delta, 1 << 30)).equals(target)).toBe(true)
    expect(delta.length).toBeLessThanOrEqual(target.length + Math.ceil(target.length / 127) + 20)
    if (target === base && base.length >= 32) expect(delta.length).toBeLessThan(40)
    expect(makeDelta(base, target, delta.length)).toEqual(delta)
    expect(makeDelta(base, target, delta.length - 1)).toBeUndefined()
  })

  test(
    'are understood by git',
    () => {
      const builder = new PackBuilder()
      const wanted = new Set<string>()
      for (let seed = 1; seed <= 60; seed++) {
        const { base, target } = textsOf(new Random(seed), seed)
        // git reads no delta of fewer than four bytes, and patches have none: what is empty is written as it is.
        if (base.length === 0 || target.length === 0) continue
        if (wanted.has(idOf('blob', base)) || wanted.has(idOf('blob', target)) || base.equals(target)) continue
        builder.ofsDelta(builder.add('blob', base), makeDelta(base, target) as Uint8Array)
        for (const data of [base, target]) wanted.add(idOf('blob', data))
      }
      git(['index-pack', '--stdin'], { cwd: root.path, stdin: builder.build() })
      const answer = git(['cat-file', '--batch-check=%(objectname)'], { cwd: root.path, stdin: [...wanted].join('\n') })
      expect(answer.toString().trim().split('\n')).toEqual([...wanted])
    },
    PATIENCE,
  )
})
