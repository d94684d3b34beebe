/** Where a page of a log began, as its address says it; neither at the first one. */
export interface PlaceInLog {
  after?: string | undefined
  front?: string | undefined
}

/** Between the parts of a trail: forms leave it as it is. */
const SEPARATOR = '*'
/** Stands at the front of a trail that goes back to the first page. */
const BEGIN = '0'
/** Addresses are not to become endless: of a longer way the newest pages are forgotten first. */
const MOST_SIGNS = 2000

/** The pages that somebody came through, to go back by, the newest first. A walk through a history goes one way only. */
export class LogTrail {
  readonly #here: PlaceInLog
  readonly #isWhole: boolean
  readonly #places: readonly PlaceInLog[]

  /** @param text what is no trail leads nowhere @param here where the page begins that was come to */
  constructor(text: string | undefined, here: PlaceInLog) {
    const [begin, ...parts] = here.after === undefined ? [] : (text ?? '').split(SEPARATOR)
    this.#here = here
    this.#isWhole = begin === BEGIN
    this.#places = Array.from({ length: Math.floor(parts.length / 2) }, (_, i) => ({ after: parts[2 * i], front: parts[2 * i + 1] || undefined }))
  }

  /** What it is on the next page. */
  get onward(): string {
    return this.#here.after === undefined ? BEGIN : format(this.#isWhole, [...this.#places, this.#here])
  }

  /** Where the page before this one began, and its own trail; undefined where that is not known. */
  get newer(): (PlaceInLog & { trail: string | undefined }) | undefined {
    const last = this.#places.at(-1)
    if (last === undefined) return this.#isWhole ? { trail: undefined } : undefined
    return { ...last, trail: format(this.#isWhole, this.#places.slice(0, -1)) }
  }
}

function format(isWhole: boolean, places: readonly PlaceInLog[]): string {
  const text = [isWhole ? BEGIN : '', ...places.flatMap(({ after = '', front = '' }) => [after, front])].join(SEPARATOR)
  return text.length > MOST_SIGNS && places.length > 1 ? format(false, places.slice(1)) : text
}
