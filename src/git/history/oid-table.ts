import { type Oid, oidAt } from '../objects/oid.ts'

const FIRST_CAPACITY = 32
/** Ids come from strangers, so nobody may know beforehand which of them share a slot. */
const [saltA, saltB, saltC] = crypto.getRandomValues(new Uint32Array(3)) as unknown as [number, number, number]

/** Ids by small whole numbers, in the order in which they were met: some thirty bytes each, where a map of strings takes two hundred. */
export class OidTable {
  #count = 0
  readonly #rawLength: number
  #raw: Buffer
  /** By open addressing the number plus one; 0 where there is none. */
  #slots = new Uint32Array(2 * FIRST_CAPACITY)
  readonly #asked: Buffer

  constructor(rawLength: number) {
    this.#rawLength = rawLength
    this.#raw = Buffer.allocUnsafeSlow(FIRST_CAPACITY * rawLength)
    this.#asked = Buffer.alloc(rawLength)
  }

  get count(): number {
    return this.#count
  }

  oid(number: number): Oid {
    return oidAt(this.#raw, number * this.#rawLength, this.#rawLength)
  }

  /** The number of `oid`, which it gets now if it has none. */
  numberOf(oid: Oid): number {
    this.#asked.write(oid, 0, 'hex')
    const slot = this.#slotOf(this.#asked, 0)
    const known = this.#slots[slot] as number
    return known > 0 ? known - 1 : this.#add(slot)
  }

  #add(slot: number): number {
    const number = this.#count++
    this.#slots[slot] = this.#count
    const at = number * this.#rawLength
    if (at === this.#raw.length) this.#grow()
    this.#raw.set(this.#asked, at)
    return number
  }

  /** The slot of the raw id at `at`, or the free one where it would go. */
  #slotOf(bytes: Buffer, at: number): number {
    let mixed = Math.imul(bytes.readUInt32LE(at) ^ saltA, saltB | 1)
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ bytes.readUInt32LE(at + 4), saltC | 1)
    const mask = this.#slots.length - 1
    let slot = (mixed ^ (mixed >>> 15)) & mask
    for (;;) {
      const known = this.#slots[slot] as number
      if (known === 0 || this.#isAt(known - 1, bytes, at)) return slot
      slot = (slot + 1) & mask
    }
  }

  #isAt(number: number, bytes: Buffer, at: number): boolean {
    const from = number * this.#rawLength
    for (let i = 0; i < this.#rawLength; i++) if (this.#raw[from + i] !== bytes[at + i]) return false
    return true
  }

  #grow(): void {
    const raw = Buffer.allocUnsafeSlow(2 * this.#raw.length)
    raw.set(this.#raw)
    const known = this.#raw.length / this.#rawLength
    this.#raw = raw
    this.#raw.set(this.#asked, known * this.#rawLength)
    this.#slots = new Uint32Array(2 * this.#slots.length)
    for (let number = 0; number <= known; number++) this.#slots[this.#slotOf(raw, number * this.#rawLength)] = number + 1
  }
}
