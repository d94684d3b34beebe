import { GitError } from '#git/errors.ts'
import { Random } from '../generate-history.ts'

/** Something that reads bytes from outside. */
export interface Target {
  name: string
  /** Bytes it reads without complaint; what is tried are these, damaged. */
  samples: readonly Uint8Array[]
  /** May throw nothing but a GitError. */
  read(bytes: Uint8Array): unknown
}

/** `FUZZ_SEED` and `FUZZ_RUNS` in the environment repeat a run, or look longer than every test run can. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_917)
const runs = Number(process.env.FUZZ_RUNS ?? 0)

/** Milliseconds a test may take: an hour for those who look longer. */
export const FUZZ_TIMEOUT = runs > 0 ? 3_600_000 : 60_000

/**
 * Reads the samples, which must pass, then `budget` damaged ones.
 * @throws Error with what it takes to see it again, when anything but a GitError comes out
 */
export async function fuzz(target: Target, budget: number): Promise<void> {
  for (const sample of target.samples) await target.read(sample)
  const random = new Random(seed)
  for (let run = 0; run < (runs || budget); run++) {
    const input = damage(random, target.samples)
    try {
      await target.read(input)
    } catch (error) {
      if (!(error instanceof GitError)) throw new Error(describe(target, run, input, error), { cause: error })
    }
  }
}

function describe(target: Target, run: number, input: Uint8Array, error: unknown): string {
  const shown = input.length > 4096 ? `${input.subarray(0, 4096).toHex()}… (${input.length} bytes)` : input.toHex()
  return `${target.name} threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}\nFUZZ_SEED=${seed}, run ${run}, input ${shown}`
}

type Damage = (random: Random, bytes: Uint8Array, samples: readonly Uint8Array[]) => Uint8Array

const telling = [0, 1, 4, 10, 32, 47, 48, 57, 0x7f, 0x80, 0xff]

const damages: readonly Damage[] = [
  (random, bytes) => changed(bytes, random.below(bytes.length), (byte) => byte ^ (1 << random.below(8))),
  (random, bytes) => changed(bytes, random.below(bytes.length), () => random.pick(telling)),
  (random, bytes) => bytes.subarray(0, random.below(bytes.length)),
  (random, bytes) => spliced(bytes, random.below(bytes.length), random.skewed(64), new Uint8Array(0)),
  (random, bytes) => spliced(bytes, random.below(bytes.length), 0, random.bytes(1 + random.skewed(64))),
  (random, bytes) => spliced(bytes, random.below(bytes.length), 0, part(random, bytes)),
  (random, bytes, samples) => spliced(bytes, random.below(bytes.length), random.skewed(32), part(random, random.pick(samples))),
  (random, bytes) => numberReplaced(random, bytes),
]

function damage(random: Random, samples: readonly Uint8Array[]): Uint8Array {
  if (random.chance(0.02)) return random.bytes(random.skewed(2000))
  let bytes = random.pick(samples)
  for (let times = 1 + random.skewed(4); times > 0 && bytes.length > 0; times--) bytes = random.pick(damages)(random, bytes, samples)
  return bytes
}

function changed(bytes: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy[at] = change(copy[at] as number)
  return copy
}

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])
}

function part(random: Random, bytes: Uint8Array): Uint8Array {
  const from = random.below(bytes.length)
  return bytes.subarray(from, from + 1 + random.skewed(200))
}

/** Sizes and counts are what decoders trust too soon. */
function numberReplaced(random: Random, bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const numbers = [...text.matchAll(/\d+/g)]
  if (numbers.length === 0) return bytes
  const { index, 0: digits } = random.pick(numbers)
  const wild = random.pick(['0', '-1', '4294967296', '9007199254740993', '1e9', `0${digits}`, digits.repeat(40)])
  return Buffer.from(text.slice(0, index) + wild + text.slice(index + digits.length), 'latin1')
}
