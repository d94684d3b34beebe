const WORD_BITS = 32

/** Bits by number. In words of 32, an even number of them, because EWAH counts in words of 64: the lower half comes first. */
export class Bitset {
  readonly words: Uint32Array

  /** @param size how many bits there are */
  constructor(size: number) {
    this.words = new Uint32Array(Math.ceil(size / 64) * 2)
  }

  has(bit: number): boolean {
    return ((this.words[bit >>> 5] as number) & (1 << (bit & 31))) !== 0
  }

  add(bit: number): void {
    this.words[bit >>> 5] = (this.words[bit >>> 5] as number) | (1 << (bit & 31))
  }

  clear(): void {
    this.words.fill(0)
  }

  copy(): Bitset {
    const copy = new Bitset(this.words.length * WORD_BITS)
    copy.words.set(this.words)
    return copy
  }

  /** Adds the bits of another of the same size. */
  addAll({ words }: Bitset): void {
    for (let i = 0; i < words.length; i++) this.words[i] = (this.words[i] as number) | (words[i] as number)
  }

  /** Takes the bits of another of the same size away. */
  removeAll({ words }: Bitset): void {
    for (let i = 0; i < words.length; i++) this.words[i] = (this.words[i] as number) & ~(words[i] as number)
  }

  /** Flips the bits that another of the same size has. */
  flipAll({ words }: Bitset): void {
    for (let i = 0; i < words.length; i++) this.words[i] = (this.words[i] as number) ^ (words[i] as number)
  }

  /** Gives `visit` the bits that are set in the words from `from` to before `to`, in ascending order. */
  each(visit: (bit: number) => void, from = 0, to = this.words.length): void {
    for (let i = from; i < to; i++) {
      for (let rest = this.words[i] as number; rest !== 0; rest &= rest - 1) visit(i * WORD_BITS + 31 - Math.clz32(rest & -rest))
    }
  }
}
