import { describe, expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { DiskStore } from '../store/disk.ts'
import { gitOutcomes, ManyMerges, ourOutcome, type Triple } from './judged-merges.fixture.ts'

const attributes = [
  '*.union merge=union',
  '*.plain merge=binary',
  '*.bin -merge -text',
  '*.wide conflict-marker-size=15',
  '*.zero conflict-marker-size=0',
  '*.text merge',
  '*.odd merge=nobody',
  'dir/* merge=union',
  '',
]
const endings = ['union', 'plain', 'bin', 'wide', 'zero', 'text', 'odd', 'none']

function someLines(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => random.pick(['a', 'b', 'c', '', 'é', `${random.below(60)}`, `${random.below(60)}\r`]))
}

function edited(random: Random, lines: readonly string[]): string[] {
  const out = [...lines]
  for (let edits = 1 + random.below(3); edits > 0; edits--) out.splice(random.below(out.length + 1), random.skewed(4), ...someLines(random, random.skewed(4)))
  return out
}

const contentOf = (random: Random, lines: readonly string[]) =>
  (random.chance(0.05) ? '\0' : '') + lines.join('\n') + (random.chance(0.8) && lines.length > 0 ? '\n' : '')

/** Files of every ending, some in a directory, some of them renamed by one side. */
function someTriple(random: Random): Triple {
  const versions: Record<string, string>[] = [{}, {}, {}]
  for (const ending of endings) {
    const name = random.chance(0.3) ? `dir/f.${ending}` : `f.${ending}`
    const base = someLines(random, 4 + random.below(20))
    for (const [side, files] of versions.entries()) {
      const isRenamed = side > 0 && random.chance(0.15)
      if (side > 0 && random.chance(0.05)) continue
      files[isRenamed ? `moved-${side}.${ending}` : name] = `100644 ${contentOf(random, side === 0 ? base : edited(random, base))}`
    }
  }
  return versions.map((files) => ({ ...files, '.gitattributes': `100644 ${attributes.join('\n')}` })) as unknown as Triple
}

describe('whatever attributes say of a path, its content merges as git merges it', () => {
  for (const diff3 of [false, true]) {
    property(diff3 ? 'with the base shown' : 'with conflicts as short as they can be', 3, (random) => {
      const triples = Array.from({ length: soak(30, 60) }, () => someTriple(random))
      using merges = new ManyMerges(triples)
      writeFileSync(join(merges.gitDir, 'info', 'attributes'), attributes.join('\n'))
      const expected = gitOutcomes(merges.gitDir, merges.pairs, ...(diff3 ? ['-c', 'merge.conflictStyle=diff3'] : []))
      const store = DiskStore.open(merges.gitDir)
      for (const [i, pair] of merges.pairs.entries()) {
        expect({ about: triples[i], ...ourOutcome(store, pair, diff3) }).toEqual({ about: triples[i], ...(expected[i] as (typeof expected)[0]) })
      }
      store.close()
    })
  }
})
