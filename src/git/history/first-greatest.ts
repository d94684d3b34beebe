/** Which of many numbers is the greatest within a stretch, while some of them change: each step takes as long as the count has digits. */
export class FirstGreatest {
  readonly #leaves: number
  /** By node, 1 being the root: the place of the first of the greatest below it, -1 for none. */
  readonly #places: Int32Array
  readonly #values: Int32Array

  /** @param values what is asked about; who changes one of them says so by `update` */
  constructor(values: Int32Array) {
    this.#values = values
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)))
    this.#places = new Int32Array(2 * this.#leaves).fill(-1)
    for (let place = 0; place < values.length; place++) this.#places[this.#leaves + place] = place
    for (let node = this.#leaves - 1; node > 0; node--)
      this.#places[node] = this.#better(this.#places[2 * node] as number, this.#places[2 * node + 1] as number)
  }

  update(place: number): void {
    for (let node = (this.#leaves + place) >> 1; node > 0; node >>= 1)
      this.#places[node] = this.#better(this.#places[2 * node] as number, this.#places[2 * node + 1] as number)
  }

  /** The first place of the greatest from `from` to before `to`; -1 where there is none. */
  within(from: number, to: number): number {
    let [left, right] = [-1, -1]
    let [low, high] = [this.#leaves + from, this.#leaves + to]
    for (; low < high; low >>= 1, high >>= 1) {
      if (low & 1) left = this.#better(left, this.#places[low++] as number)
      if (high & 1) right = this.#better(this.#places[--high] as number, right)
    }
    return this.#better(left, right)
  }

  /** Of two places, of which `a` is the earlier. */
  #better(a: number, b: number): number {
    if (a < 0 || b < 0) return Math.max(a, b)
    return (this.#values[b] as number) > (this.#values[a] as number) ? b : a
  }
}
